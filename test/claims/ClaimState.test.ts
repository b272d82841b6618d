import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import {
  ClaimState,
  LiveClaims,
  Liveness,
  Observation,
  Place,
  SessionOwners,
  type WorkspaceClaim,
  WorkspaceClaims
} from "../../src/internal.ts"
import * as ClaimIndex from "../../src/claims/core/ClaimIndex.ts"
import * as Cases from "../Cases.ts"
import { tempRoot } from "../TempRoot.ts"

interface Case {
  readonly name: string
  readonly dirs: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly symlinks: Readonly<Record<string, string>>
  readonly claims: ReadonlyArray<{
    readonly session: string
    readonly path: string
    readonly liveness: "Live" | "SessionGone"
  }>
  readonly caller: string | null
  readonly candidate: string
  readonly expect: {
    readonly state: string
    readonly permits: boolean
    readonly sessions?: ReadonlyArray<string>
  }
}

const answered = Observation.Answered({ servers: [], names: ["tm-live"] })
const liveness = (which: Case["claims"][number]["liveness"]) =>
  Liveness.livenessOf(answered, { tmuxName: which === "Live" ? "tm-live" : "tm-gone", process: "None" }, 0)

describe("LiveClaims.claimState", () => {
  for (const given of Cases.read<ReadonlyArray<Case>>("claim-state")) {
    it.effect(given.name, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const at = (path: string) => path.replace("$R", root)
        for (const dir of given.dirs) fs.mkdirSync(at(dir), { recursive: true })
        for (const file of given.files) fs.writeFileSync(at(file), "")
        for (const [link, target] of Object.entries(given.symlinks)) fs.symlinkSync(at(target), at(link))
        const claims = yield* Effect.forEach(given.claims, (claim) =>
          Effect.map(WorkspaceClaims.locate(at(claim.path)), (place) => ({
            session: claim.session,
            place,
            liveness: liveness(claim.liveness)
          }))
        )
        const candidate = yield* WorkspaceClaims.locate(at(given.candidate))
        for (const order of [claims, claims.toReversed()]) {
          const state = LiveClaims.claimState(
            {
              claims: order,
              owners: SessionOwners.unread(given.caller ?? undefined),
              caller: given.caller ?? undefined,
              observation: answered,
              incomplete: undefined,
              dismissed: []
            },
            candidate
          )
          assert.strictEqual(state._tag, given.expect.state, ClaimState.explain(state))
          assert.strictEqual(ClaimState.permits(state), given.expect.permits)
          if (given.expect.sessions !== undefined) {
            assert.deepStrictEqual(ClaimState.sessions(state), given.expect.sessions)
          }
        }
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )
  }
})

const claim = (session: string, which: Case["claims"][number]["liveness"] = "Live"): WorkspaceClaim.WorkspaceClaim => ({
  session,
  place: Place.resolved("/w/app", [{ segments: ["w", "app"], identities: [] }]),
  liveness: liveness(which)
})

const lost = Place.Unresolvable({ path: "w\n", why: "it is not absolute\n" })

/** What is said of /w/app, or of another candidate. */
const judge = (
  claims: ReadonlyArray<WorkspaceClaim.WorkspaceClaim>,
  { incomplete, candidate = claim("").place }: { readonly incomplete?: string; readonly candidate?: Place.Place } = {}
) =>
  LiveClaims.claimState(
    {
      claims,
      owners: SessionOwners.unread("me"),
      caller: "me",
      observation: answered,
      incomplete,
      dismissed: []
    },
    candidate
  )

describe("ClaimState.of", () => {
  it("is undeterminable, because of no claim, for a candidate that cannot be placed", () => {
    assert.deepStrictEqual(judge([claim("a")], { candidate: lost }), {
      _tag: "Undeterminable",
      why: 'the candidate "w\\u{a}" cannot be placed: it is not absolute\\u{a}',
      claims: []
    })
  })

  it("is undeterminable, because of no claim, when the claims are not every one", () => {
    assert.deepStrictEqual(judge([claim("a", "SessionGone")], { incomplete: "a record is torn" }), {
      _tag: "Undeterminable",
      why: "a record is torn",
      claims: []
    })
  })

  it("is undeterminable, because of all that cannot be placed, when a live claim cannot", () => {
    const claims = [
      { ...claim("b"), place: lost },
      { ...claim("a\n"), place: lost }
    ]
    assert.deepStrictEqual(judge(claims), {
      _tag: "Undeterminable",
      why:
        'the workspace "w\\u{a}" of a\\u{a} cannot be placed: it is not absolute\\u{a}; ' +
        "fix the record's path or dismiss the record with --dismiss ID",
      claims: claims.toReversed()
    })
  })
})

describe("the claims of a state", () => {
  const inner = {
    ...claim("gone", "SessionGone"),
    place: Place.resolved("/w/app/x", [{ segments: ["w", "app", "x"], identities: [] }])
  }
  const of = (claims: ReadonlyArray<WorkspaceClaim.WorkspaceClaim>) => {
    const index = ClaimIndex.build(claims, "me")
    return () => ClaimState.of({ index, incomplete: undefined, candidate: claim("").place })
  }

  it("are given as they are arranged where one place has them all, however many there are", () => {
    const { place } = claim("")
    const state = of([{ ...claim("b"), place }, { ...claim("a"), place }, inner])
    const [one, again] = [state(), state()]
    assert.deepStrictEqual(ClaimState.sessions(one), ["a", "b"])
    assert.isTrue(one._tag === "Foreign" && again._tag === "Foreign" && one.claims === again.claims)
  })

  it("are in one order where several places have them", () => {
    const other = { ...claim("a"), place: inner.place }
    for (const claims of [
      [claim("b"), other, claim("c")],
      [other, claim("c"), claim("b")]
    ]) {
      assert.deepStrictEqual(ClaimState.sessions(of(claims)()), ["a", "b", "c"])
    }
  })
})

/** One state of each kind, in the order in which they apply. */
const states: ReadonlyArray<ClaimState.ClaimState> = [
  { _tag: "Foreign", claims: [claim("a")] },
  { _tag: "Undeterminable", why: "a record is torn", claims: [claim("a")] },
  { _tag: "CallerWorkspace", claims: [claim("a")] },
  { _tag: "ForeignNested", claims: [claim("a")] },
  { _tag: "CallerNested", claims: [claim("a")] },
  { _tag: "DeadClaimsDiscarded", claims: [claim("a", "SessionGone")] },
  { _tag: "Unclaimed" }
]

describe("ClaimState.stricter", () => {
  states.forEach((first, place) => {
    it(`lets ${first._tag} go before all that applies after it, from either side`, () => {
      for (const later of states.slice(place + 1)) {
        assert.strictEqual(ClaimState.stricter(first, later), first)
        assert.strictEqual(ClaimState.stricter(later, first), first)
      }
    })

    it(`keeps the first of two that are ${first._tag}`, () => {
      assert.strictEqual(ClaimState.stricter(first, { ...first }), first)
    })
  })
})

describe("ClaimState.sessions", () => {
  it("names each session once, and none where no one claims", () => {
    assert.deepStrictEqual(ClaimState.sessions(judge([claim("b"), claim("a"), claim("b")])), ["a", "b"])
    assert.deepStrictEqual(ClaimState.sessions(judge([])), [])
  })
})

describe("ClaimState.explain", () => {
  const of = (...sessions: ReadonlyArray<string>) => sessions.map((session) => claim(session))
  const listed = "tmux lists it; to settle it, end the session when its work is done"
  const cases: ReadonlyArray<readonly [name: string, state: ClaimState.ClaimState, said: string]> = [
    [
      "the claimant, its path, why it counts as live and what would settle it",
      { _tag: "Foreign", claims: of("a") },
      `a claims "/w/app", on it or inside it: ${listed}`
    ],
    [
      "three claimants by name, each once",
      { _tag: "ForeignNested", claims: of("a", "b", "a", "c") },
      `it lies inside the workspace of a, b, c: ${listed}`
    ],
    [
      "more than three by the names of the first three and the number of the others",
      { _tag: "ForeignNested", claims: of("a", "b", "c", "d", "e") },
      `it lies inside the workspace of a, b, c and 2 more: ${listed}`
    ],
    [
      "that the claimant is the caller, and what to do",
      { _tag: "CallerWorkspace", claims: of("me") },
      "it is, or holds, the workspace of the caller (me); end that session first"
    ],
    [
      "that what it lies in is the caller's",
      { _tag: "CallerNested", claims: of("me") },
      "it lies inside the workspace of the caller (me)"
    ],
    [
      "that the claimants are gone",
      { _tag: "DeadClaimsDiscarded", claims: of("a", "b") },
      "only sessions that are gone claimed it (a, b)"
    ],
    [
      "why it cannot be determined",
      { _tag: "Undeterminable", why: "a record is torn", claims: [] },
      "a record is torn"
    ],
    ["that no one claims it", { _tag: "Unclaimed" }, "no session claims it"],
    [
      "no more than that it counts as live, where no claim tells why",
      { _tag: "Foreign", claims: [] },
      "a session on it or inside it: it counts as live"
    ],
    [
      "no more than that it counts as live, where the claim that should tell why is of a gone session",
      { _tag: "ForeignNested", claims: [claim("a", "SessionGone")] },
      "it lies inside the workspace of a: it counts as live"
    ]
  ]
  for (const [name, state, said] of cases) {
    it(`says ${name}`, () => assert.strictEqual(ClaimState.explain(state), said))
  }
})
