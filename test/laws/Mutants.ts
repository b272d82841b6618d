/**
 * Mistakes that somebody could make in this library, each as one change of its source, and the law that each breaks.
 */
export interface Mutant {
  readonly law: string
  readonly mistake: string
  /** Below `src`. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
}

const mutants = (law: string, ...made: ReadonlyArray<Omit<Mutant, "law">>): ReadonlyArray<Mutant> =>
  made.map((mutant) => ({ law, ...mutant }))

export const all: ReadonlyArray<Mutant> = [
  ...mutants(
    "L1 no invented link",
    {
      mistake: "an id is found by its beginning",
      file: "links/core/Siblings.ts",
      find: "file.ids.includes(id)",
      replace: "file.ids.some((other) => id.startsWith(other.slice(0, 2)))"
    },
    {
      mistake: "the first of two files that list the id wins",
      file: "links/core/Siblings.ts",
      find: "if (another !== undefined) {",
      replace: "if (another === null) {"
    },
    {
      mistake: "a torn tail is read as a line",
      file: "links/core/LinkFile.ts",
      find: "  return start < text.length\n",
      replace: "  if (start < text.length) take(text.slice(start))\n  return start < text.length\n"
    },
    {
      mistake: "the ids of all files are given together",
      file: "links/core/Siblings.ts",
      find: "claudeIds: only.file.ids }",
      replace: "claudeIds: [...new Set([...files].flatMap(({ file }) => file.ids))] }"
    }
  ),
  ...mutants(
    "L2 append only",
    {
      mistake: "what is listed is recorded again",
      file: "links/core/LinkFile.ts",
      find: "mayList(id)(bytes) && parse(bytes).ids.includes(id) ? undefined : appendix",
      replace: "appendix"
    },
    {
      mistake: "a link file is written over",
      file: "links/FileSystemFiles.ts",
      find: 'Effect.andThen(stat(path), fs.open(path, { flag: "a+", mode: 0o600 })',
      replace: 'Effect.andThen(stat(path), fs.open(path, { flag: "w+", mode: 0o600 })'
    },
    {
      mistake: "a torn tail is closed by a newline alone",
      file: "links/core/LinkFile.ts",
      find: "encoder.encode(isTorn(lastByte) ? `\\u0018\\n${line}\\n` : `${line}\\n`)",
      replace: "encoder.encode(isTorn(lastByte) ? `\\n${line}\\n` : `${line}\\n`)"
    },
    {
      mistake: "a refused id says that it was recorded",
      file: "links/SessionLinks.ts",
      find: 'Effect.map(Recorded.$is("Written"))',
      replace: 'Effect.map((recorded) => recorded._tag !== "AlreadyListed")'
    }
  ),
  ...mutants(
    "L3 no splice",
    {
      mistake: "a torn tail is not looked for",
      file: "links/core/LinkFile.ts",
      find: "lastByte !== undefined && lastByte !== LF",
      replace: "false"
    },
    {
      mistake: "a cancelled line is read",
      file: "links/core/LinkFile.ts",
      find: 'if (line.endsWith("\\u0018")) return "Nothing"',
      replace: 'line = line.replaceAll("\\u0018", "")'
    },
    {
      mistake: "a torn tail is closed by a newline alone",
      file: "links/core/LinkFile.ts",
      find: "encoder.encode(isTorn(lastByte) ? `\\u0018\\n${line}\\n` : `${line}\\n`)",
      replace: "encoder.encode(isTorn(lastByte) ? `\\n${line}\\n` : `${line}\\n`)"
    }
  ),
  ...mutants(
    "L4 one way to gone",
    {
      mistake: "a tmux that could not be asked lists nothing",
      file: "claims/core/Liveness.ts",
      find: 'if (observation._tag === "Unobserved") return live(Because.Unobserved({ reason: observation.reason }))',
      replace: 'if (observation._tag === "Unobserved") observation = { _tag: "Answered", servers: [], names: [] }'
    },
    {
      mistake: "any name may be gone",
      file: "claims/core/Liveness.ts",
      find: "if (!SessionName.isManaged(record.tmuxName, settings.prefixes)) return live(Because.NotManaged())",
      replace: ""
    },
    {
      mistake: "a young session may be gone",
      file: "claims/core/Liveness.ts",
      find: "if (!(observedAt - newest >= Period.milliseconds(settings.grace, defaultGrace))) return live(Because.Young())",
      replace: ""
    },
    {
      mistake: "a process that may carry it on does not count",
      file: "claims/core/Liveness.ts",
      find: 'if (record.process === "NotConsulted" || record.process === "None") return SessionGone()',
      replace: "return SessionGone()"
    },
    {
      mistake: "a tmux server that was not heard is passed over",
      file: "claims/core/Observation.ts",
      find: "if (pid !== undefined) return Unobserved({ reason: Reason.UnheardServer({ pid }) })",
      replace: ""
    }
  ),
  ...mutants(
    "L4 one way to an end",
    {
      mistake: "what no record and no link names has ended",
      file: "claims/core/SessionOwners.ts",
      find: "if (registry === undefined) return [undeterminable(`${nobody}, and the Claude registry was not consulted`)]",
      replace: 'if (registry === undefined) return [says("Ended", nobody)]'
    },
    {
      mistake: "an unreadable history holds no link",
      file: "claims/core/SessionOwners.ts",
      find: 'if (history._tag === "Unreadable") {',
      replace: 'if (history._tag === ("Never" as never)) {'
    },
    {
      mistake: "an incomplete registry is complete",
      file: "claims/core/SessionOwners.ts",
      find: "  ...(registry.incomplete === undefined\n    ? []",
      replace: "  ...(registry.incomplete !== null\n    ? []"
    },
    {
      mistake: "a live process does not count against an end",
      file: "claims/core/SessionOwners.ts",
      find: "return SessionEnd.conclude([...evidence, ...stricter(registry, id)])",
      replace: "return SessionEnd.conclude(evidence)"
    }
  ),
  ...mutants(
    "L4 one way to a permit",
    {
      mistake: "only the first path in use counts",
      file: "claims/core/GatheredUses.ts",
      find: "  for (const path of paths) {",
      replace: "  for (const path of paths.slice(0, 1)) {"
    },
    {
      mistake: "the gate of processes is removed",
      file: "verdict/core/Verdict.ts",
      find: "  Occupied: occupied,",
      replace: "  Occupied: () => undefined,"
    },
    {
      mistake: "the gate of the owner is removed",
      file: "verdict/core/Verdict.ts",
      find: "  Owner: owner,",
      replace: "  Owner: () => undefined,"
    },
    {
      mistake: "a sentinel that cannot be read names nobody",
      file: "verdict/core/Verdict.ts",
      find: 'if (sentinel._tag === "Unreadable") {',
      replace: 'if (sentinel._tag === "Unreadable") return undefined\n  if (sentinel._tag === ("Never" as never)) {'
    },
    {
      mistake: "quiet counts the other way round",
      file: "verdict/core/Quiet.ts",
      find: "quiet >= duration",
      replace: "quiet <= duration"
    },
    {
      mistake: "the gate of quiet is removed",
      file: "verdict/core/Verdict.ts",
      find: "  Quiet: quiet,",
      replace: "  Quiet: () => undefined,"
    },
    {
      mistake: "a sign of work of which the time is not known is passed over",
      file: "verdict/core/SignOfWork.ts",
      find: "inOrder(signs)[0] ??",
      replace: 'inOrder(signs).find(({ _tag }) => _tag === "Known") ??'
    },
    {
      mistake: "the oldest sign of work speaks",
      file: "verdict/core/SignOfWork.ts",
      find: "b.at - a.at ||",
      replace: "a.at - b.at ||"
    },
    {
      mistake: "a long-lived branch may go",
      file: "verdict/core/GitGate.ts",
      find: "if (git.longLived) {",
      replace: "if (git.longLived === null) {"
    },
    {
      mistake: "changes do not count",
      file: "verdict/core/GitGate.ts",
      find: "if (git.dirty.length > 0) {",
      replace: "if (git.dirty.length > 99) {"
    },
    {
      mistake: "harmless is too wide",
      file: "verdict/Inspect.ts",
      find: '(type === "File" && Number(size) === 0)',
      replace: '(type === "File" && Number(size) >= 0)'
    },
    {
      mistake: "another repository inside does not count",
      file: "verdict/core/GitGate.ts",
      find: "if (git.nested.length > 0) {",
      replace: "if (git.nested.length > 99) {"
    },
    {
      mistake: "what was written lately and is ignored does not count",
      file: "verdict/core/GitGate.ts",
      find: "if (ignoredWrite === undefined) return undefined",
      replace: "return undefined"
    },
    {
      mistake: "the lock of a harness of which nothing is known is left over",
      file: "verdict/core/GitGate.ts",
      find: 'if (lock === undefined || lock.holder === "Gone") return undefined',
      replace: 'if (lock === undefined || lock.holder !== "Live") return undefined'
    },
    {
      mistake: "whatever was done has landed",
      file: "verdict/core/Settled.ts",
      find: '(facts.landed._tag === "Landed" && !isAnothersGround(facts))',
      replace: "!isAnothersGround(facts)"
    },
    {
      mistake: "what has landed in another session's workspace is nobody's",
      file: "verdict/core/Settled.ts",
      find: '(facts.landed._tag === "Landed" && !isAnothersGround(facts))',
      replace: 'facts.landed._tag === "Landed"'
    },
    {
      mistake: "a machine that booted since interrupts nobody",
      file: "verdict/core/Settled.ts",
      find: "if (bootedAt.value > last) return",
      replace: "if (bootedAt.value === null) return"
    },
    {
      mistake: "an end mark is believed whatever came after",
      file: "verdict/core/Settled.ts",
      find: "facts.lastSign.value.at - agent.endedAt <= clockStep",
      replace: "facts.lastSign.value.at >= 0"
    },
    {
      mistake: "a tmux server that ended interrupts nobody",
      file: "verdict/core/Settled.ts",
      find: "if (!managed.has(session)) return undefined",
      replace: "return undefined"
    }
  ),
  ...mutants(
    "L5 faults only refuse to prune",
    {
      mistake: "a store that cannot be read holds no records",
      file: "links/SidecarPrune.ts",
      find: "const { records, undecoded } = yield* store.read",
      replace:
        "const { records, undecoded } = yield* Effect.catch(store.read, () => Effect.succeed({ records: [], undecoded: [] }))"
    },
    {
      mistake: "records that do not decode are swallowed",
      file: "links/SidecarPrune.ts",
      find: "...undecoded.map(({ key }) => key)",
      replace: ""
    },
    {
      mistake: "what changed since the plan is moved",
      file: "links/SidecarPrune.ts",
      find: "if (!sameIds(plan, seen.value) || !PrunePlan.isMovable(plan, seen.value, known)) {",
      replace: "if (!sameIds(plan, seen.value) && !PrunePlan.isMovable(plan, seen.value, known)) {"
    }
  ),
  ...mutants(
    "L5 faults only refuse",
    {
      mistake: "a socket that fails is no server",
      file: "claims/core/Observation.ts",
      find: "else return Unobserved({ reason: answer.failure })",
      replace: ""
    },
    {
      mistake: "uses that cannot be told are none",
      file: "claims/core/Occupants.ts",
      find: 'if (occupants._tag === "Unknown") return `it is not known which processes use it: ${Text.escape(occupants.reason)}`',
      replace: 'if (occupants._tag === "Unknown") return undefined'
    },
    {
      mistake: "a store that cannot be read holds no records",
      file: "claims/WorkspaceClaims.ts",
      find: "    const stored = yield* Manager.records(store)\n",
      replace:
        "    const stored = yield* Effect.orElseSucceed(Manager.records(store), () => ({ records: [], undecoded: [] }))\n"
    },
    {
      mistake: "a registry that cannot be read is not consulted",
      file: "claims/ConsultRegistry.ts",
      find: "safe: (why) => ClaudeRegistry.failed(why)",
      replace: "safe: (why) => (why === null ? ClaudeRegistry.failed(why) : undefined)"
    }
  ),
  ...mutants(
    "L5 faults only refuse to move",
    {
      mistake: "the plan is believed",
      file: "reclaim/JudgeAnew.ts",
      find: "return { repository, worktree, judged }",
      replace: 'return { repository, worktree, judged: { ...judged, verdict: { _tag: "Permit", notes: [] } as never } }'
    },
    {
      mistake: "what the plan refuses is moved when it is permitted now",
      file: "reclaim/Apply.ts",
      find: 'if (candidate.verdict._tag === "Refuse") return Effect.succeed(ReclaimOutcome.Kept({ path, ...candidate.verdict }))',
      replace: ""
    },
    {
      mistake: "a failed move is told as done",
      file: "reclaim/Apply.ts",
      find: 'return ReclaimOutcome.Failed({ path, step: "move", reason: moved.failure.message })',
      replace: "return ReclaimOutcome.Moved({ path, to, notes: [] })"
    }
  ),
  ...mutants(
    "L5 faults only refuse to remove",
    {
      mistake: "what is not due is removed",
      file: "reclaim/PlanExpiry.ts",
      find: "if (!(now >= due)) return",
      replace: "if (Number.isNaN(due)) return"
    },
    {
      mistake: "what cannot be made again is removed",
      file: "reclaim/PlanExpiry.ts",
      find: "if (precious.length > 0) return",
      replace: "if (precious.length > 99) return"
    },
    {
      mistake: "a claim on the old path counts no more",
      file: "verdict/AskedWorktree.ts",
      find: "new Set([given.worktree.path, oldPathOf(given)])",
      replace: "new Set([given.worktree.path])"
    },
    {
      mistake: "what lies reclaimed is used by nobody",
      file: "verdict/WorktreeFacts.ts",
      find: "    observed.occupants,\n    places,",
      replace: "    observed.occupants,\n    places.slice(-1),"
    }
  ),
  ...mutants(
    "L5 no answer from a part",
    {
      mistake: "a row of another shape is passed over",
      file: "claims/core/TmuxAnswer.ts",
      find: "return names.every((name) => name !== undefined) ? Result.succeed({ server, names }) : malformed(call.stdout)",
      replace: "return Result.succeed({ server, names: names.filter((name) => name !== undefined) })"
    },
    {
      mistake: "a call that ended badly is an answer",
      file: "claims/core/TmuxAnswer.ts",
      find: "if (exitCode !== 0) return",
      replace: "if (exitCode === null) return"
    },
    {
      mistake: "a call that a signal ended is an answer",
      file: "claims/core/TmuxAnswer.ts",
      find: "if (exitCode !== 0) return",
      replace: "if (exitCode !== 0 && exitCode !== null) return"
    }
  ),
  ...mutants(
    "L6 evidence only refuses",
    {
      mistake: "only the first path in use counts",
      file: "claims/core/GatheredUses.ts",
      find: "  for (const path of paths) {",
      replace: "  for (const path of paths.slice(0, 1)) {"
    },
    {
      mistake: "a claim inside the candidate does not count",
      file: "claims/core/ClaimIndex.ts",
      find: "above: byKey(claims, (chain) => chain, held)",
      replace: "above: byKey(claims, (chain) => chain.slice(-1), held)"
    },
    {
      mistake: "a live process does not count against an end",
      file: "claims/core/SessionOwners.ts",
      find: "return SessionEnd.conclude([...evidence, ...stricter(registry, id)])",
      replace: "return SessionEnd.conclude(evidence)"
    },
    {
      mistake: "the oldest sign of work speaks",
      file: "verdict/core/SignOfWork.ts",
      find: "b.at - a.at ||",
      replace: "a.at - b.at ||"
    },
    {
      mistake: "quiet counts the other way round",
      file: "verdict/core/Quiet.ts",
      find: "quiet >= duration",
      replace: "quiet <= duration"
    }
  ),
  ...mutants(
    "L7 bounded links",
    {
      mistake: "there is no bound",
      file: "shared/FailOpen.ts",
      find: "Effect.timeout(limit)",
      replace: "(waiting) => waiting"
    },
    {
      mistake: "the bound waits for what ignores interruption",
      file: "shared/Bound.ts",
      find: "restore(bounding(Fiber.join(fiber)))",
      replace: "bounding(Effect.uninterruptible(Fiber.join(fiber)))"
    }
  ),
  ...mutants(
    "L7 bounded",
    {
      mistake: "there is no bound",
      file: "shared/FailOpen.ts",
      find: "Effect.timeout(limit)",
      replace: "(waiting) => waiting"
    },
    {
      mistake: "the look at tmux has no bound",
      file: "claims/Observe.ts",
      find: "      bound: Bound.Observation,\n      safe: (detail, { kind, error }) =>",
      replace: "      bound: undefined,\n      safe: (detail, { kind, error }) =>"
    }
  ),
  ...mutants(
    "L8 total links",
    {
      mistake: "defects are let through",
      file: "shared/FailOpen.ts",
      find: "        Effect.catchCause((cause) => fold(foldedOf(cause, limit)))",
      replace: "        Effect.catch((error) => fold(foldedOf(Cause.fail(error), limit)))"
    },
    {
      mistake: "an error that cannot be put into words kills who describes it",
      file: "shared/FailOpen.ts",
      find: 'return "an error that cannot be put into words"',
      replace: "throw new Error()"
    }
  ),
  ...mutants("L8 total", {
    mistake: "defects are let through",
    file: "shared/FailOpen.ts",
    find: "        Effect.catchCause((cause) => fold(foldedOf(cause, limit)))",
    replace: "        Effect.catch((error) => fold(foldedOf(Cause.fail(error), limit)))"
  }),
  ...mutants(
    "L9 whole or nothing",
    {
      mistake: "an entry that cannot be read is passed over",
      file: "links/core/LinkHistory.ts",
      find: 'if ("unreadable" in content) return content.unreadable',
      replace: 'if ("unreadable" in content) return undefined'
    },
    {
      mistake: "a torn file is whole",
      file: "links/core/LinkHistory.ts",
      find: 'if (content.torn) return "ends in a write that did not finish; `session-liveness links heal` closes it"',
      replace: ""
    },
    {
      mistake: "damaged lines are passed over",
      file: "links/core/LinkHistory.ts",
      find: "if (content.damaged > 0)",
      replace: "if (content.damaged > 1)"
    },
    {
      mistake: "an entry with a name that is no id is passed over",
      file: "links/SessionLinks.ts",
      find: "if (!ManagedId.is(name)) fold.add",
      replace: 'if (name === "") fold.add'
    }
  ),
  ...mutants(
    "L10 the caller keeps its ground",
    {
      mistake: "the caller's workspace may go",
      file: "claims/core/ClaimState.ts",
      find: "  CallerWorkspace: () => false,",
      replace: "  CallerWorkspace: () => true,"
    },
    {
      mistake: "the caller may be dismissed",
      file: "claims/WorkspaceClaims.ts",
      find: "(options.dismiss ?? []).filter((id) => id !== caller)",
      replace: "(options.dismiss ?? [])"
    },
    {
      mistake: "the caller's claim is discarded when its session seems gone",
      file: "claims/core/ClaimIndex.ts",
      find: "claim.session === caller ?",
      replace: 'claim.session === caller && claim.liveness._tag === "Live" ?'
    }
  ),
  ...mutants(
    "L11 order is nothing to links",
    {
      mistake: "entries are told as they come",
      file: "links/core/LinkHistory.ts",
      find: "faults.sort(([a], [b]) => Text.compare(a, b))",
      replace: ""
    },
    {
      mistake: "files that list the same id are told as they come",
      file: "links/core/Siblings.ts",
      find: ".sort(Text.compare)",
      replace: ""
    },
    {
      mistake: "the plan is in the order of the directory",
      file: "links/core/PrunePlan.ts",
      find: "\n    .sort((a, b) => Text.compare(a.managedId, b.managedId))",
      replace: ""
    }
  ),
  ...mutants(
    "L11 order is nothing",
    {
      mistake: "claims are told as they come",
      file: "claims/core/WorkspaceClaim.ts",
      find: "export const compare = (a: WorkspaceClaim, b: WorkspaceClaim): number =>",
      replace: "export const compare = (a: WorkspaceClaim, b: WorkspaceClaim): number => true ? 0 :"
    },
    {
      mistake: "the first socket that fails speaks",
      file: "claims/core/Observation.ts",
      find: "[...asked].sort((a, b) => Text.compare(a.socket, b.socket))",
      replace: "asked"
    },
    {
      mistake: "processes are told as they come",
      file: "claims/core/Occupants.ts",
      find: "\n    .sort(byWeight)",
      replace: ""
    }
  ),
  ...mutants(
    "L12 recovery of links",
    {
      mistake: "a listing is remembered",
      file: "links/SidecarReader.ts",
      find: "list: Effect.suspend(() => files.names(directory)).pipe(",
      replace: "list: remembered(files, files.names(directory)).pipe("
    },
    {
      mistake: "a total is remembered",
      file: "links/SavingsLedger.ts",
      find: "        return pieces(fold.push, fold.end)",
      replace: "        return remembered(files, pieces(fold.push, fold.end))"
    },
    {
      mistake: "what a link file held is remembered",
      file: "links/SidecarReader.ts",
      find: "read: (name) => Effect.mapError(files.read(`${directory}/${name}`), toError),",
      replace: "read: (name) => Effect.mapError(remembered(files, files.read(`${directory}/${name}`), name), toError),"
    }
  ),
  ...mutants(
    "L12 recovery",
    {
      mistake: "where paths lead is remembered",
      file: "claims/PathResolver.ts",
      find: "  const lstat = remember((path) => look(path, fs.lstat(path)))\n",
      replace: "  const lstat = (path: string) => remembered(fs, look(path, fs.lstat(path)), path)\n"
    },
    {
      mistake: "the sockets of tmux are remembered",
      file: "claims/Observe.ts",
      find: "Effect.result(probe.sockets)",
      replace: "Effect.result(remembered(probe, probe.sockets))"
    },
    {
      mistake: "the processes are remembered",
      file: "claims/Observe.ts",
      find: "({ servers, snapshot }) => Effect.result(servers ?? snapshot)",
      replace: "(table) => Effect.result(remembered(table, table.servers ?? table.snapshot))"
    }
  ),
  ...mutants(
    "L12 what a kill leaves comes back",
    {
      mistake: "what was to be removed stays out of reach",
      file: "reclaim/core/Leftover.ts",
      find: '    return whole(...links(withdrawn), { _tag: "Move", from: withdrawn, to: path })\n',
      replace: "    return Recovery.Nothing()\n"
    },
    {
      mistake: "a removal that had begun leaves the tree without our lock",
      file: "reclaim/core/Leftover.ts",
      find: '    if (lock === "Suspended") return whole(...links(path))\n',
      replace: ""
    },
    {
      mistake: "what stands keeps its HEAD detached and our lock",
      file: "reclaim/core/Leftover.ts",
      find: "[...links(stands), ...ReclaimStep.undo(record, adminDirectory, stands)]",
      replace: "links(stands)"
    }
  ),
  ...mutants(
    "L12 what lies reclaimed comes back",
    {
      mistake: "what moves is not written down",
      file: "reclaim/Apply.ts",
      find: "      yield* put(entry)\n",
      replace: ""
    },
    {
      mistake: "what was not put back is told as put back, and forgotten",
      file: "reclaim/Restore.ts",
      find: "carryOut(repository, ReclaimStep.restore(entry.record, adminDirectory, from, to)).pipe(",
      replace: "carryOut(repository, []).pipe("
    },
    {
      mistake: "a look has no bound",
      file: "reclaim/Services.ts",
      find: "        duration: bound,\n",
      replace: "        duration: '1000 days',\n"
    },
    {
      mistake: "the branch is forgotten",
      file: "reclaim/core/ReclaimStep.ts",
      find: "branch: record.branch, head: record.head }] as const)),",
      replace: "branch: record.branch, head: record.head }] as const).slice(1)),"
    },
    {
      mistake: "the lock of a harness is not given back",
      file: "reclaim/core/ReclaimStep.ts",
      find: '{ _tag: "ForgetCommits", name: record.name },\n  release(record, adminDirectory)\n',
      replace: '{ _tag: "ForgetCommits", name: record.name }\n'
    },
    {
      mistake: "what a call before has left half done stays so",
      file: "reclaim/Guarded.ts",
      find: "const recovered = yield* recover(known)",
      replace: "const recovered: Outcomes = []"
    }
  ),
  ...mutants(
    "L13 not needlessly",
    {
      mistake: "landed work is not settled",
      file: "verdict/core/Settled.ts",
      find: '(facts.landed._tag === "Landed" && !isAnothersGround(facts))',
      replace: "false"
    },
    {
      mistake: "a claim refuses though its session is gone",
      file: "claims/core/ClaimState.ts",
      find: "  DeadClaimsDiscarded: () => true,",
      replace: "  DeadClaimsDiscarded: () => false,"
    },
    {
      mistake: "a lock holds though its harness is gone",
      file: "verdict/core/GitGate.ts",
      find: 'if (lock === undefined || lock.holder === "Gone") return undefined',
      replace: "if (lock === undefined) return undefined"
    },
    {
      mistake: "a day of quiet is a week",
      file: "verdict/core/Facts.ts",
      find: "Period.milliseconds(quietFor, Quiet.day)",
      replace: "Period.milliseconds(quietFor, 7 * Quiet.day)"
    }
  ),
  ...mutants(
    "L14 slim takes only what is regenerable",
    {
      mistake: "a name vouches for itself",
      file: "verdict/core/Regenerable.ts",
      find: "beside.some((each) => matches(each.normalize(), marker))",
      replace: "beside !== undefined"
    },
    {
      mistake: "secrets and what a person keeps do not hold back",
      file: "verdict/IgnoredPaths.ts",
      find: "if (kept !== undefined) heldBack ??=",
      replace: "if (kept === null) heldBack ??="
    },
    {
      mistake: "a repository inside does not hold back",
      file: "verdict/IgnoredPaths.ts",
      find: "if (NestedRepository.isMarkedBy(names)) heldBack ??=",
      replace: "if (names === null) heldBack ??="
    }
  )
]
