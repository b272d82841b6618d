// Which worktrees may go, and moving them out of the way.
export * as Reclaim from "./reclaim/Reclaim.ts"
export * as ReclaimPlan from "./reclaim/core/ReclaimPlan.ts"
export * as ExpiryPlan from "./reclaim/core/ExpiryPlan.ts"
export * as SlimPlan from "./reclaim/core/SlimPlan.ts"
export * as ReclaimOutcome from "./reclaim/core/ReclaimOutcome.ts"
export * as Verdict from "./verdict/core/Verdict.ts"
export * as Regenerable from "./verdict/core/Regenerable.ts"
export * as OwnerSentinel from "./verdict/OwnerSentinel.ts"

// Who is still there, and holds which workspace.
export * as WorkspaceClaims from "./claims/WorkspaceClaims.ts"
export * as LiveClaims from "./claims/core/LiveClaims.ts"
export * as ClaimState from "./claims/core/ClaimState.ts"
export * as Liveness from "./claims/core/Liveness.ts"
export * as Observation from "./claims/core/Observation.ts"
export * as SessionOwners from "./claims/core/SessionOwners.ts"
export * as SessionEnd from "./claims/core/SessionEnd.ts"

// Which ids are one session, and what they saved.
export * as SessionLinks from "./links/SessionLinks.ts"
export * as LinkFile from "./links/core/LinkFile.ts"
export * as LinkHistory from "./links/core/LinkHistory.ts"
export * as PrunePlan from "./links/core/PrunePlan.ts"
export * as SavingsLedger from "./links/SavingsLedger.ts"
export * as SavingsTotal from "./links/core/SavingsTotal.ts"
export * as ManagedId from "./shared/core/ManagedId.ts"
export * as ClaudeId from "./shared/core/ClaudeId.ts"

// Services, for layers of your own, and what reads for them.
export * as SessionStore from "./records/SessionStore.ts"
export * as SessionRecord from "./records/core/SessionRecord.ts"
export * as TmuxProbe from "./claims/TmuxProbe.ts"
export * as ProcessTable from "./machine/ProcessTable.ts"
export * as ProcessStat from "./machine/core/ProcessStat.ts"
export * as ClaudeSessions from "./claims/ClaudeSessions.ts"
export * as Git from "./verdict/Git.ts"
export * as GitChanges from "./reclaim/GitChanges.ts"
export * as ReclaimedTrees from "./reclaim/ReclaimedTrees.ts"
export * as ReclaimJournal from "./reclaim/ReclaimJournal.ts"
export * as Restorations from "./verdict/Restorations.ts"
export * as SidecarReader from "./links/SidecarReader.ts"
export * as LinkWriter from "./links/LinkWriter.ts"

// Bounds, and the one fold from a failure to the safe answer.
export * as Bound from "./shared/Bound.ts"
export * as FailOpen from "./shared/FailOpen.ts"
