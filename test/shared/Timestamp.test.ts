import { assert, describe, it } from "@effect/vitest"
import * as Timestamp from "../../src/shared/core/Timestamp.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe("Timestamp.parseRfc3339, of an instant", () => {
  const noon = 12 * hour
  const cases: ReadonlyArray<readonly [text: string, milliseconds: number]> = [
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-02T03:04:05Z", day + 3 * hour + 4 * minute + 5 * second],
    ["1969-12-31T23:59:59Z", -second],
    ["1972-02-29T23:59:59Z", (2 * 365 + 31 + 29) * day - second],
    ["1970-01-01t12:00:00z", noon],
    ["1970-01-01 12:00:00Z", noon],
    ["1970-01-01T12:00:00.5Z", noon + 500],
    ["1970-01-01T12:00:00.007Z", noon + 7],
    ["1970-01-01T12:00:00.0079Z", noon + 7],
    ["1970-01-01T12:00:00.999999999Z", noon + 999],
    ["1970-01-01T12:00:00.99999999999999999999Z", noon + 999],
    ["1969-12-31T23:59:59.25Z", -750],
    ["1970-01-01T12:00:00+00:00", noon],
    ["1970-01-01T12:00:00+02:00", noon - 2 * hour],
    ["1970-01-01T12:00:00-02:00", noon + 2 * hour],
    ["1970-01-01T12:00:00+05:30", noon - 5 * hour - 30 * minute],
    ["1970-01-01T12:00:00.25-03:30", noon + 250 + 3 * hour + 30 * minute],
    ["1970-01-01T12:00:00+23:59", noon - 23 * hour - 59 * minute]
  ]
  for (const [text, milliseconds] of cases) {
    it(text, () => assert.strictEqual(Timestamp.parseRfc3339(text), milliseconds))
  }
})

describe("Timestamp.parseRfc3339, of what is none", () => {
  const cases: ReadonlyArray<readonly [name: string, text: string]> = [
    ["a day that its month does not have", "1970-02-30T00:00:00Z"],
    ["a leap day of another year", "1970-02-29T00:00:00Z"],
    ["a day that no month has", "1970-01-32T00:00:00Z"],
    ["a month that no year has", "1970-13-01T00:00:00Z"],
    ["an hour that no day has", "1970-01-01T25:00:00Z"],
    ["the end of a day as an hour of its own", "1970-01-01T24:00:00Z"],
    ["a minute that no hour has", "1970-01-01T00:60:00Z"],
    ["a second that no minute has", "1970-01-01T00:00:61Z"],
    ["an offset of a day", "1970-01-01T00:00:00+24:00"],
    ["an offset of sixty minutes", "1970-01-01T00:00:00-00:60"],
    ["a time of no zone", "1970-01-01T00:00:00"],
    ["a day alone", "1970-01-01"],
    ["words around it", "on 1970-01-01T00:00:00Z"],
    ["a line end behind it", "1970-01-01T00:00:00Z\n"],
    ["nothing", ""]
  ]
  for (const [name, text] of cases) {
    it(name, () => assert.isUndefined(Timestamp.parseRfc3339(text)))
  }
})

describe("Timestamp.parseCtime", () => {
  const cases: ReadonlyArray<readonly [text: string, milliseconds: number | undefined]> = [
    ["Thu Jan  1 00:00:00 1970", 0],
    ["Fri Jan  2 03:04:05 1970", day + 3 * hour + 4 * minute + 5 * second],
    ["Thu Dec 31 00:00:00 1970", 364 * day],
    ["Tue Feb 29 12:00:00 1972", (2 * 365 + 31 + 28) * day + 12 * hour],
    ["Sun Mar  1 00:00:00 1970", (31 + 28) * day],
    ["Sun Feb 29 00:00:00 1970", undefined],
    ["Thu Jan  1 25:00:00 1970", undefined],
    ["Thu Jan  1 00:00:00 1970\n", undefined],
    ["Thu Jan 1970", undefined],
    ["jeu. janv. 1 00:00:00 1970", undefined],
    ["1970-01-01T00:00:00Z", undefined],
    ["", undefined]
  ]
  for (const [text, milliseconds] of cases) {
    it(`${JSON.stringify(text)} is ${milliseconds === undefined ? "no instant" : milliseconds}`, () =>
      assert.strictEqual(Timestamp.parseCtime(text), milliseconds))
  }
})

describe("Timestamp.formatCtime", () => {
  it("prints what parseCtime reads, in whole seconds", () => {
    for (const time of [0, day + second, 364 * day, 20_000 * day + 13 * hour]) {
      assert.strictEqual(Timestamp.parseCtime(Timestamp.formatCtime(time + 999)), time)
    }
  })
})
