/**
 * A JSON text that is changed in places: whatever is not changed stays as its owner wrote it.
 */
import { Predicate, Result } from "effect"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** One value and how it is written. */
interface Node {
  readonly value: Json
  readonly raw: string
  /** What it holds, each with what is written between the mark before it and its value. */
  readonly parts: ReadonlyArray<{ readonly key: string | undefined; readonly before: string; readonly node: Node }>
  /** The space before its closing mark. */
  readonly tail: string
}

/** A whole text. */
export interface JsonText {
  readonly before: string
  readonly root: Node
  readonly after: string
  readonly newline: string
  readonly indent: string
}

/** The value of a text without anything is an empty object. */
const empty: JsonText = {
  before: "",
  root: { value: {}, raw: "{}", parts: [], tail: "" },
  after: "\n",
  newline: "\n",
  indent: "  "
}

/** Reads a text, or says why it is none that could be changed without losing something. */
export const parse = (text: string): Result.Result<JsonText, string> => {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const json = text.slice(bom.length)
  if (json.trim() === "") return Result.succeed({ ...empty, before: bom })
  try {
    JSON.parse(json)
  } catch (error) {
    return Result.fail(`it is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { at, node, twice } = read(json)
  if (twice !== undefined) return Result.fail(`the key ${JSON.stringify(twice)} stands in it twice`)
  const [, indent = empty.indent] = /\n([ \t]+)"/.exec(json) ?? []
  return Result.succeed({
    before: bom + json.slice(0, at),
    root: node,
    after: json.slice(at + node.raw.length),
    newline: json.includes("\r\n") ? "\r\n" : "\n",
    indent
  })
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

/** The tree of a text that is valid, where it begins, and a key that stands twice in one object. */
const read = (json: string) => {
  const marks = Array.from(json.matchAll(tokens), ({ 0: text, index }) => ({ text, index, end: index + text.length }))
  let next = 0
  let twice: string | undefined
  const mark = () => marks[next] ?? { text: "", index: json.length, end: json.length }
  const value = (): Node => {
    const { text, index, end } = mark()
    next++
    if (text !== "{" && text !== "[") return { value: JSON.parse(text), raw: text, parts: [], tail: "" }
    const parts: Array<Node["parts"][number]> = []
    const keys = new Set<string | undefined>()
    let from = end
    while (!/^[}\]]$/.test(mark().text)) {
      const key: string | undefined = text === "{" ? JSON.parse(mark().text) : undefined
      if (key !== undefined && keys.has(key)) twice = key
      keys.add(key)
      if (key !== undefined) next += 2
      const before = json.slice(from, mark().index)
      parts.push({ key, before, node: value() })
      if (mark().text === ",") next++
      from = marks[next - 1]?.end ?? from
    }
    const close = mark()
    next++
    const raw = json.slice(index, close.end)
    return { value: JSON.parse(raw), raw, parts, tail: json.slice(from, close.index) }
  }
  const at = mark().index
  return { at, node: value(), twice }
}

/** The text with another value. */
export const print = (text: JsonText, value: Json): string =>
  text.before + edited(text, text.root, value, 0) + text.after

const edited = (text: JsonText, node: Node, value: Json, depth: number): string => {
  if (isSame(node.value, value)) return node.raw
  if (isList(value) && isList(node.value))
    return filled(text, node, depth, "[]", elements(text, node, value, depth + 1))
  if (isObject(value) && isObject(node.value)) {
    return filled(text, node, depth, "{}", members(text, node, value, depth + 1))
  }
  return fresh(text, value, depth)
}

const members = (text: JsonText, node: Node, value: JsonObject, depth: number): ReadonlyArray<string> =>
  Object.entries(value).map(([key, member]) => {
    const old = node.parts.find((part) => part.key === key)
    return old === undefined
      ? `${space(text, node, depth)}${JSON.stringify(key)}: ${fresh(text, member, depth)}`
      : old.before + edited(text, old.node, member, depth)
  })

/** Each that was there is as it was, wherever it stands now. */
const elements = (text: JsonText, node: Node, value: ReadonlyArray<Json>, depth: number): ReadonlyArray<string> =>
  value.map((element) => {
    const old = node.parts.find((part) => isSame(part.node.value, element))
    return old === undefined ? space(text, node, depth) + fresh(text, element, depth) : old.before + old.node.raw
  })

const filled = (text: JsonText, { parts, tail }: Node, depth: number, marks: string, held: ReadonlyArray<string>) =>
  held.length === 0 ? marks : marks[0] + held.join(",") + (parts.length === 0 ? line(text, depth) : tail) + marks[1]

const fresh = (text: JsonText, value: Json, depth: number): string =>
  JSON.stringify(value, null, text.indent).replaceAll("\n", line(text, depth))

/** What stands before one that is new: what stands before the others. */
const space = (text: JsonText, { parts }: Node, depth: number): string =>
  /^\s*/.exec(parts.at(-1)?.before ?? line(text, depth))?.[0] ?? ""

const line = ({ newline, indent }: JsonText, depth: number): string => newline + indent.repeat(depth)

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

export const isObject = (json: Json | undefined): json is JsonObject => Predicate.isObject(json)
