/**
 * The programs that judge, as the laws ask them.
 */
import * as Duration from "effect/Duration"
import type * as Option from "effect/Option"
import type * as LiveClaims from "../../claims/core/LiveClaims.ts"
import type * as Observation from "../../claims/core/Observation.ts"
import type * as Place from "../../claims/core/Place.ts"
import * as WorkspaceClaims from "../../claims/WorkspaceClaims.ts"
import type * as ReclaimPlan from "../../reclaim/core/ReclaimPlan.ts"
import * as Reclaim from "../../reclaim/Reclaim.ts"
import type * as Asked from "../Program.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import type { SweepWorld } from "./SweepWorld.ts"

export type Program<A> = Asked.Program<A, Reclaim.Services>

/** Every program, asked about that world and that path. */
export const programs = (world: SweepWorld, path: string) => ({
  observe: {
    name: "observe",
    bound: Duration.seconds(3),
    effect: WorkspaceClaims.observe
  } satisfies Program<Observation.Observation>,
  workspaceClaims: {
    name: "workspaceClaims",
    bound: Duration.seconds(10),
    effect: WorkspaceClaims.workspaceClaims({ caller: world.caller, dismiss: world.dismiss })
  } satisfies Program<LiveClaims.LiveClaims>,
  identifyCaller: {
    name: "identifyCaller",
    bound: Duration.seconds(3),
    effect: WorkspaceClaims.identifyCaller
  } satisfies Program<Option.Option<string>>,
  locate: {
    name: "locate",
    bound: Duration.seconds(10),
    effect: WorkspaceClaims.locate(path)
  } satisfies Program<Place.Place>,
  survey: {
    name: "survey",
    bound: Duration.minutes(10),
    effect: Reclaim.survey({
      repositories: SweepPlaces.repositoryPaths,
      caller: world.caller,
      dismiss: world.dismiss
    })
  } satisfies Program<ReclaimPlan.Plan>
})

export type ProgramName = keyof ReturnType<typeof programs>

export const programNames: ReadonlyArray<ProgramName> = [
  "observe",
  "workspaceClaims",
  "identifyCaller",
  "locate",
  "survey"
]

/** What a plan permits to go. */
export const permitted = (plan: ReclaimPlan.Plan): ReadonlyArray<string> =>
  plan.candidates.flatMap(({ path, verdict }) => (verdict._tag === "Permit" ? [path] : []))
