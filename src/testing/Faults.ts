/**
 * Faults as data, and services that have them. A fault is a call that fails (other than "not there"), dies, hangs or
 * is cut off.
 */
import type * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"

/**
 * What goes wrong with one call.
 */
export type Kind = Data.TaggedEnum<{
  /** A typed failure: the one at `choice` among those of the service, counted around. */
  Fails: { readonly choice: number }
  /** A defect inside the effect: an error, `undefined`, or a value that throws when it is made text. */
  Dies: { readonly of: "Error" | "Nothing" | "Unprintable" }
  /** The function throws instead of giving an effect. A member that is an effect dies. */
  Throws: {}
  /** Never answers; can be interrupted. */
  Hangs: {}
  /** Never answers and cannot be interrupted. */
  HangsForGood: {}
  /** Interrupts itself. */
  Interrupts: {}
  /** Does a part, at most `bytes` of the bytes it was handed, then fails: a torn write, a truncated read. A call that is handed no bytes does all of its work and its answer is lost. */
  CutOff: { readonly bytes: number }
  /** Only reads: gives at most `bytes`, at least one, and no failure. */
  Short: { readonly bytes: number }
  /** Starts late. Other faults of the same call come on top. */
  Delayed: { readonly millis: number }
}>

export const Kind = Data.taggedEnum<Kind>()

/**
 * The fault of the `at`-th call (counted from 1) of the method `on`, or of any method; with `lasting` of every later one
 * as well. Methods are named `Service.method`.
 */
export interface Fault {
  readonly at: number
  readonly on: string | undefined
  readonly lasting: boolean
  readonly kind: Kind
}

/** Faults that come one after another or together. Of those that meet in one call, the first counts. */
export type Schedule = ReadonlyArray<Fault>

/** A call that a fault may meet. */
export interface Call {
  readonly method: string
  readonly args: ReadonlyArray<unknown>
}

/** A fault that was injected. */
export interface Injected {
  readonly method: string
  readonly kind: Kind
}

/**
 * How a service is named in a schedule, and which typed failures it has. "Not there" must not be among them.
 */
export interface Profile<E> {
  readonly name: string
  readonly failures: readonly [(call: Call) => E, ...ReadonlyArray<(call: Call) => E>]
}

/**
 * Counts calls over every service that it wraps, and injects the faults of its schedule.
 */
export interface Injector {
  /** The same service with faults. Members may be effects or functions that give effects. */
  readonly wrap: <S extends object>(service: S, profile: Profile<Failure<S>>) => S
  readonly injected: ReadonlyArray<Injected>
  /** From now on no fault is injected. */
  readonly stop: () => void
  /** From now on faults are injected again, and calls are counted again. */
  readonly start: () => void
}

/** What the members of a service can fail with. */
export type Failure<S> = {
  [K in keyof S]: S[K] extends Effect.Effect<infer _A, infer E, infer _R>
    ? E
    : S[K] extends (...args: infer _Args) => Effect.Effect<infer _A, infer E, infer _R>
      ? E
      : never
}[keyof S]

export const make = (schedule: Schedule): Injector => {
  const injected: Array<Injected> = []
  const seen = new Map<string, number>()
  let active = true

  const count = (key: string): number => {
    const calls = (seen.get(key) ?? 0) + 1
    seen.set(key, calls)
    return calls
  }

  /** A throw comes while the call is made, everything else when its effect runs; each has its own count. */
  const due = (method: string, moment: "call" | "run"): ReadonlyArray<Kind> => {
    const ofAny = count(`${moment} `)
    const ofThis = count(`${moment} ${method}`)
    if (!active) return []
    return schedule
      .filter(({ kind }) => (kind._tag === "Throws") === (moment === "call"))
      .filter(({ on }) => on === undefined || on === method)
      .filter(({ at, on, lasting }) => {
        const calls = on === undefined ? ofAny : ofThis
        return lasting ? calls >= at : calls === at
      })
      .map(({ kind }) => kind)
  }

  const inject = (method: string, kind: Kind): Kind => {
    injected.push({ method, kind })
    return kind
  }

  const wrap = <S extends object>(service: S, profile: Profile<unknown>): S => {
    const around = (
      call: Call,
      perform: (args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>
    ): Effect.Effect<unknown, unknown, unknown> =>
      Effect.suspend(() => {
        const kinds = due(call.method, "run")
        const first = kinds.find((kind) => kind._tag !== "Delayed")
        const done =
          first === undefined ? whole(call, perform) : performFaulty(call, perform, inject(call.method, first))
        const late = kinds.find(Kind.$is("Delayed"))
        if (late === undefined) return done
        inject(call.method, late)
        return Effect.andThen(Effect.sleep(late.millis), done)
      })

    const whole = (call: Call, perform: (args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>) =>
      Effect.map(perform(call.args), (value) =>
        FileSystem.isFile(value) ? wrap(value, { name: "File", failures: profile.failures }) : value
      )

    const performFaulty = (
      call: Call,
      perform: (args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>,
      kind: Kind
    ): Effect.Effect<unknown, unknown, unknown> => {
      const failure = (choice: number) => Effect.fail(profile.failures[choice % profile.failures.length]?.(call))
      switch (kind._tag) {
        case "Fails":
          return failure(kind.choice)
        case "Dies":
          return Effect.die(defects[kind.of](call.method))
        case "Throws":
          return Effect.sync(() => throwAt(call.method))
        case "Hangs":
          return Effect.never
        case "HangsForGood":
          return Effect.uninterruptible(Effect.never)
        case "Interrupts":
          return Effect.interrupt
        case "CutOff":
          return Effect.andThen(perform(cut(call.args, kind.bytes)), failure(0))
        case "Short":
          return isRead(call.method)
            ? whole({ ...call, args: cut(call.args, Math.max(1, kind.bytes)) }, perform)
            : whole(call, perform)
        case "Delayed":
          return whole(call, perform)
      }
    }

    const member = (value: unknown, method: string): unknown => {
      if (Effect.isEffect(value)) return around({ method, args: [] }, () => value)
      if (typeof value !== "function") return value
      return (...args: ReadonlyArray<unknown>): unknown => {
        const [thrown] = due(method, "call")
        if (thrown !== undefined) {
          inject(method, thrown)
          return throwAt(method)
        }
        const answer: unknown = Reflect.apply(value, service, args)
        if (!Effect.isEffect(answer)) return answer
        return around({ method, args }, (given) =>
          given === args ? answer : (Reflect.apply(value, service, given) as typeof answer)
        )
      }
    }

    return new Proxy<S>(Object.create(service), {
      get: (_, key) => {
        const value: unknown = Reflect.get(service, key, service)
        return typeof key === "symbol" || key.startsWith("~") ? value : member(value, `${profile.name}.${key}`)
      }
    })
  }

  return {
    wrap,
    injected,
    stop: () => {
      active = false
    },
    start: () => {
      seen.clear()
      active = true
    }
  }
}

/**
 * A layer that puts faults into the service it is given. Injectors are shared, so that "the n-th call of any" counts over
 * several services.
 */
export const layer = <I, S extends object>(
  key: Context.Key<I, S>,
  injector: Injector,
  profile: Profile<Failure<S>>
): Layer.Layer<I, never, I> =>
  Layer.effect(
    key,
    Effect.map(key, (service) => injector.wrap(service, profile))
  )

const defects = {
  Error: (method: string): unknown => new Error(`${method} died`),
  Nothing: (): unknown => undefined,
  Unprintable: (): unknown => Object.create(null)
}

const throwAt = (method: string): never => {
  throw new Error(`${method} threw`)
}

const isRead = (method: string): boolean => /\.read(Alloc)?$/.test(method)

const cut = (args: ReadonlyArray<unknown>, bytes: number): ReadonlyArray<unknown> =>
  args.map((value) => (value instanceof Uint8Array ? value.subarray(0, bytes) : value))
