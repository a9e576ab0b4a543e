import type { RecoveryView } from '../../../contracts/page/missionView';
import { launchChange } from '../../mission/parts/launchChange';
import type { AttemptRecord, Launch } from '../../model/attempt';
import { laneOf } from '../../model/lanes';
import type { TaskRow, Tasks } from '../../model/state';
import type { Recovery } from '../../recovery/permission/record';
import { launchChangeLines } from '../events/eventLine';
import type { AttemptEvidence } from '../../../contracts/taskEvidence';

export function recoveryViews(mission: Tasks, row: TaskRow): readonly RecoveryView[] {
  const lane = laneOf(mission, row.task.task_id);
  return [...row.attempts, ...(lane ? [lane] : [])].flatMap((attempt) => [
    ...givenView(attempt),
    ...attempt.recoveries.map((recovery) => recoveryView(attempt, recovery)),
  ]);
}

function recoveryView(attempt: AttemptRecord, recovery: Recovery): RecoveryView {
  const { issue, issue_detected, path, retry_count, relaunch } = recovery;
  const launch = attempt.launches.find(({ launch_id }) => launch_id === relaunch?.launch_id);
  return {
    attempt: attempt.attempt,
    what: `${issue}${path === null ? '' : ` on ${path}`}: ${issue_detected}`,
    change: changeOf(attempt, launch),
    outcome: outcomeOf(recovery, relaunch && retry_count),
    status: recovery.status,
  };
}

function outcomeOf({ status, why }: Recovery, relaunch: number | null): string {
  const again = relaunch === null ? 'Nothing was launched.' : `Launched once more (${relaunch}).`;
  switch (status) {
    case 'pending':
      return `${again} The new launch was not seen alive yet.`;
    case 'success':
      return `${again} The new launch was seen alive.`;
    case 'failed':
      return `${again} The new launch failed: ${why ?? 'unknown'}`;
    case 'escalated':
      return `${again} It is for a person: ${why ?? 'nothing was left to try.'}`;
  }
}

/** Returns what a person granted to its first launch, and what an earlier task carries over. */
function givenView(attempt: AttemptRecord): readonly RecoveryView[] {
  const launch = attempt.launches.find(({ purpose }) => purpose.kind === 'worker');
  if (!launch?.adjustment) return [];
  const { granted } = launch.adjustment;
  return [
    {
      attempt: attempt.attempt,
      what: granted.length > 0 ? 'Granted by a person' : 'Carried over from an earlier task',
      change: changeOf(attempt, launch),
      outcome: granted.map(({ decision }) => `Reason: ${decision.reason}`).join(' '),
      status: granted.length > 0 ? 'granted' : 'carried_over',
    },
  ];
}

function changeOf(attempt: AttemptRecord, launch: Launch | undefined): readonly string[] {
  const change = launch && launchChange(attempt, launch);
  return change ? launchChangeLines(change) : [];
}

type Denial = AttemptEvidence['denials'][number];

/**
 * Returns what a task was denied, as a person reads it: each once, with how often. At most twenty; the last says how
 * many more.
 */
export function denialTexts(denials: readonly Denial[]): readonly string[] {
  const times = new Map<string, number>();
  for (const denial of denials) times.set(denialWords(denial), (times.get(denialWords(denial)) ?? 0) + 1);
  const all = [...times].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  return all.length <= most
    ? all
    : [...all.slice(0, most - 1), `and ${all.length - most + 1} more, which its evidence tells`];
}

const most = 20;

function denialWords({ tool, path, reason }: Denial): string {
  if (path === null) return `${tool ?? 'something'}: ${reason}`;
  return `${tool === null ? 'a write to' : `${tool} on`} ${path}: ${reason}`;
}
