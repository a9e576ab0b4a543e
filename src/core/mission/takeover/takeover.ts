import { errorLines } from '../../documents/finding';
import type { MissionEvent } from '../../model/events';
import type { RecoveredTask, RecoveryFacts } from '../../model/facts';
import { isBeingStopped } from '../../model/lanes';
import { judgeLedger } from '../evidence/ledgerDocument';
import type { Mission, Progress, Tasks, UnprovenTree } from '../../model/state';
import { unprovenLaunch, type EndedAttempt } from '../../model/attempt';
import { utcText } from '../../../base/text/amounts';

/**
 * The events of a new owner's recovery, before it dispatches: locks and ledger are reconciled, every task in progress
 * is judged by its heartbeat, and one event records the findings. A contradictory ledger pauses the mission. Source:
 * seed 003.
 */
export function recoveryEvents(mission: Mission, facts: RecoveryFacts | null): readonly MissionEvent[] {
  const { file_system } = facts ?? mission;
  const ledger = judgeLedger({ ...mission, file_system });
  const tasks = facts?.tasks ?? [];
  const code = 'LEDGER_INCONSISTENT';
  const reason = `${code}: the ledger contradicts itself, nothing is dispatched. ${ledger.reason}`;
  return [
    {
      type: 'OwnerResumed',
      resumed_run_id: mission.run_id,
      found: [describe(mission), ...tasks.map(taskWords)].join('; '),
      ledger: { code: ledger.code, issues: errorLines(ledger.details.findings) },
      tasks,
      file_system,
    },
    ...timeouts(mission, facts),
    ...(ledger.allow ? [] : [{ type: 'MissionPaused', code, reason } as const]),
  ];
}

function timeouts({ lanes }: Tasks, facts: RecoveryFacts | null): readonly MissionEvent[] {
  return lanes.flatMap((lane) => {
    const { task_id, stage } = lane;
    if (stage.at !== 'running' || isBeingStopped(lane)) return [];
    return (facts?.silent ?? [])
      .filter(({ launch_id }) => launch_id === stage.launch_id)
      .map((silence): MissionEvent => ({ type: 'WorkerTimedOut', task_id, ...silence }));
  });
}

function describe(mission: Progress): string {
  if (mission.lanes.length > 0)
    return mission.lanes
      .map(({ task_id, attempt, stage }) => `task ${task_id}, attempt ${attempt}, waiting for ${stage.at}`)
      .join('; ');
  return `execution ${mission.execution}, no live attempt`;
}

function taskWords(task: RecoveredTask): string {
  const standing = {
    unstarted: 'nothing was started yet',
    supervised: 'its supervisor is alive',
    ended: 'it ended unobserved',
    lost: 'its supervisor is dead',
    unreadable: 'it could not be looked at',
  }[task.standing];
  const { last_heartbeat_at, age_seconds } = task;
  if (last_heartbeat_at === null || age_seconds === null) return `${task.task_id}: ${standing}`;
  return `${task.task_id}: ${standing}, last heartbeat ${utcText(last_heartbeat_at)} (${age_seconds} s ago, timeout ${task.timeout_seconds} s)`;
}

/** The launch whose processes were not proven gone, so that the row keeps its lock; null when they were. */
export function unprovenTree(attempt: EndedAttempt): UnprovenTree | null {
  const launch = unprovenLaunch(attempt);
  return launch ? { launch_id: launch.launch_id, run_dir: launch.run_dir, looks: 0, due: false } : null;
}

/** After a person's decision, processes that were not proven gone are looked for again. */
export function retryTreeSearch(mission: Mission): Mission {
  if (!mission.rows.some((row) => row.unproven)) return mission;
  return {
    ...mission,
    rows: mission.rows.map((row) => (row.unproven ? { ...row, unproven: { ...row.unproven, due: true } } : row)),
  };
}

export function hasUnprovenProcesses({ rows }: Tasks): boolean {
  return rows.some(({ unproven }) => unproven && !unproven.due);
}

export function cancelUnderWay(mission: Progress): boolean {
  return mission.cancel !== null && !hasUnprovenProcesses(mission);
}
