import { ranBeside } from '../../model/lanes';
import type { Attempt, AttemptRecord } from '../../model/attempt';
import { evidenceDir } from '../../evidence/places';
import { rowOf, type Mission, type TaskRow, type Tasks } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { divideChanges, type Beside, type RanBeside } from '../../observation/assignChangesToLanes';
import { changesAtEnd } from '../../observation/verifyChange';
import type { PathComparison } from '../../paths/compare';
import { pathsHeldAgainst } from '../parts/announced';
import { workerSpan } from '../parts/workerLaunch';

export interface Judged {
  readonly comparison: PathComparison;
  /** `now`: also what happened after the worker, while its verify commands ran. */
  readonly until: 'worker_end' | 'now';
  /** What other missions ran meanwhile; absent: none. */
  readonly others?: RanBeside;
}

type Seen = Pick<Mission, 'mission_id' | 'plan' | 'plan_path' | 'plan_sha256' | 'rows' | 'last_at'>;

const none: RanBeside = { beside: [], evidence: [], folders: [] };

export function ownChanges(
  mission: Tasks,
  attempt: Attempt,
  changes: readonly RawChange[],
  { comparison, until, others = none }: Judged,
): ReturnType<typeof divideChanges> {
  const workerEnd = until === 'now' ? null : workerSpan(mission, attempt).ended_at;
  // A lane that still ran when this worker ended answers for what it did meanwhile. That holds even
  // where it was observed earlier.
  const endedBefore = (ended_at: string): boolean => workerEnd === null || Date.parse(ended_at) < Date.parse(workerEnd);
  const beside = ranBeside(mission, attempt).map(({ row, attempt: other }): Beside => {
    const isUnproven = row.unproven !== null && row.attempts.at(-1) === other;
    const ended = 'ended_at' in other && !isUnproven && endedBefore(other.ended_at);
    return { ...lockedBy(row, other), ended_at: ended ? other.ended_at : null };
  });
  return divideChanges({
    changes,
    paths: rowOf(mission, attempt.task_id).scope.paths,
    beside: [...beside, ...others.beside],
    announced: pathsHeldAgainst(attempt),
    evidence: [...mission.rows.flatMap(({ evidence }) => (evidence ? [evidence] : [])), ...others.evidence],
    folders: others.folders,
    comparison,
  });
}

/** Returns what other missions ran and wrote since a time. They may run while this one waits for a person. */
export function ranInOthers(others: readonly Seen[], since: string): RanBeside {
  const later = others.filter(({ last_at }) => last_at > since);
  return {
    beside: later.flatMap(({ mission_id, rows }) =>
      rows.flatMap((row) =>
        row.attempts
          .filter(({ ended_at }) => ended_at > since)
          .map((attempt) => ({
            ...lockedBy(row, attempt),
            task_id: `${row.task.task_id} of mission ${mission_id}`,
            ended_at: attempt.ended_at,
          })),
      ),
    ),
    evidence: later.map(({ plan_path, plan_sha256 }) => ({ path: plan_path, sha256: plan_sha256 })),
    folders: later.map(({ plan }) => evidenceDir(plan.plan_id)),
  };
}

function lockedBy(row: TaskRow, attempt: AttemptRecord): Omit<Beside, 'ended_at'> {
  return {
    task_id: row.task.task_id,
    paths: row.scope.paths,
    since: attempt.phases.find(({ phase }) => phase === 2)?.at ?? null,
    left: changesAtEnd(attempt.observed?.changes ?? [], attempt.after_verify?.changes ?? []),
  };
}
