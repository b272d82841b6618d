import { assert, describe, it } from "@effect/vitest"
import {
  ClaimState,
  LiveClaims,
  Liveness,
  Observation,
  Place,
  SessionOwners,
  type WorkspaceClaim
} from "../../src/internal.ts"

const live = Liveness.Live({ because: Liveness.Because.NotManaged() })
const gone = Liveness.livenessOf(
  Observation.Answered({ servers: [], names: [] }),
  { tmuxName: "tm-gone", process: "None" },
  0
)

const placed = (path: string): Place.Place =>
  Place.resolved(path, [{ segments: Place.segmentsOf(path) ?? [], identities: [] }])

const lost = Place.Unresolvable({ path: "w", why: "it is not absolute" })

const claim = (
  session: string,
  place: Place.Place,
  more: Partial<WorkspaceClaim.WorkspaceClaim> = {}
): WorkspaceClaim.WorkspaceClaim => ({ session, place, liveness: gone, ...more })

const claimSet = (claims: ReadonlyArray<WorkspaceClaim.WorkspaceClaim>): LiveClaims.LiveClaims => ({
  claims,
  owners: SessionOwners.unread(undefined),
  caller: undefined,
  observation: Observation.Answered({ servers: [], names: [] }),
  incomplete: undefined,
  dismissed: []
})

describe("LiveClaims.claimState", () => {
  const shared = placed("/w/app")

  it("names every claimant of one place, however the claims came to share it", () => {
    const claims = [
      claim("c", shared),
      claim("a", placed("/w/app")),
      claim("b", shared),
      claim("d", placed("/w/app/x"))
    ]
    for (const order of [claims, claims.toReversed()]) {
      assert.deepStrictEqual(ClaimState.sessions(LiveClaims.claimState(claimSet(order), placed("/w/app"))), [
        "a",
        "b",
        "c",
        "d"
      ])
    }
  })

  it("names those that share a place in the same order whatever order they come in", () => {
    const claims = [claim("b", shared), claim("a", shared), claim("c", shared)]
    assert.deepStrictEqual(ClaimState.sessions(LiveClaims.claimState(claimSet(claims), shared)), ["a", "b", "c"])
  })

  it("finds the live one among those that share a place", () => {
    const claims = [claim("a", shared), claim("b", shared, { liveness: live }), claim("c", shared)]
    const state = LiveClaims.claimState(claimSet(claims), placed("/w"))
    assert.deepStrictEqual([state._tag, ClaimState.sessions(state)], ["Foreign", ["b"]])
  })
})

describe("LiveClaims.lastSigns", () => {
  const cases: ReadonlyArray<
    readonly [name: string, claims: ReadonlyArray<WorkspaceClaim.WorkspaceClaim>, signs: ReadonlyArray<number | null>]
  > = [
    ["none of no claim", [], []],
    [
      "those on the candidate and inside it, of gone sessions too, and of none around it or beside it",
      [
        claim("a", placed("/w/app"), { lastSignAt: 1 }),
        claim("b", placed("/w/app/x"), { lastSignAt: 2, liveness: live }),
        claim("c", placed("/w"), { lastSignAt: 3 }),
        claim("d", placed("/w/apple"), { lastSignAt: 4 })
      ],
      [1, 2]
    ],
    ["one that is not known", [claim("a", placed("/w/app"))], [null]],
    [
      "the newest of what cannot be placed, of a gone session too",
      [claim("a", lost, { lastSignAt: 1 }), claim("b", lost, { lastSignAt: 7 }), claim("c", lost, { lastSignAt: 2 })],
      [7]
    ],
    [
      "what is not known of what cannot be placed",
      [claim("a", lost, { lastSignAt: 1 }), claim("b", lost), claim("c", lost, { lastSignAt: 2 })],
      [null]
    ]
  ]
  for (const [name, claims, signs] of cases) {
    it(name, () => {
      for (const order of [claims, claims.toReversed()]) {
        assert.sameMembers([...LiveClaims.lastSigns(claimSet(order), placed("/w/app"))], [...signs])
      }
    })
  }

  it("of a candidate that cannot be placed, those of what cannot be placed alone", () => {
    const claims = [claim("a", placed("/w/app"), { lastSignAt: 1 }), claim("b", lost, { lastSignAt: 2 })]
    assert.deepStrictEqual(LiveClaims.lastSigns(claimSet(claims), lost), [2])
    assert.deepStrictEqual(LiveClaims.lastSigns(claimSet([]), lost), [])
  })
})
