import type { AttemptFacts } from '../evidence/facts';
import { proposedBy } from '../lifecycle/memory';
import { memoryName } from '../memory/standing';
import type { AttemptRecord } from '../model/attempt';

type Entry = NonNullable<AttemptFacts['memory']>['entries'][number];

/** Returns what was proposed to be remembered, who decided about it, and what was saved. */
export function memoryFacts(attempt: Pick<AttemptRecord, 'claim' | 'memory'>): Pick<AttemptFacts, 'memory'> {
  const { claim, memory } = attempt;
  if (claim.kind !== 'valid' || !claim.memory) return {};
  if (claim.memory.kind === 'ignored')
    return { memory: { entries: [], decided_by: null, ignored: claim.memory.reason } };
  const decision = memory?.decided?.decision;
  return {
    memory: {
      entries: proposedBy(attempt).map((proposed): Entry => {
        const name = memoryName(proposed);
        const standing = memory?.standings?.find((one) => one.name === name);
        const saved = memory?.saved?.find((one) => one.name === name);
        return {
          name,
          decision: proposed.decision,
          rationale: proposed.rationale,
          supersedes: proposed.supersedes ?? null,
          outcome: saved
            ? 'saved'
            : standing?.state === 'known'
              ? 'known'
              : memory?.decided?.discards.includes(name)
                ? 'discarded'
                : 'undecided',
          conflict:
            standing?.state === 'conflict'
              ? { version: standing.current?.version ?? null, decision: standing.current?.decision ?? null }
              : null,
          version: saved?.version ?? null,
          sha256: saved?.sha256 ?? null,
          path: saved?.path ?? null,
        };
      }),
      decided_by: decision
        ? { kind: decision.actor.kind, name: decision.actor.name, reason: decision.reason, at: decision.at }
        : null,
      ignored: null,
    },
  };
}
