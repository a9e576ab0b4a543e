import type { HumanDecision } from '../../../contracts/record/header';
import { withoutEnd } from '../../../base/text/plainLine';
import type { TaskOutcome } from '../../../contracts/launch';
import { interventionWords } from '../../lifecycle/intervention';
import { memoryWords } from '../../lifecycle/memory';
import { workerLaunch } from '../../lifecycle/parts/workerLaunch';
import { askedSentence } from '../../../base/text/words';
import { stepTexts } from '../../../base/text/steps';
import { possibleStepsOf } from '../../mission/waysOut';
import { askingPacket } from '../../mission/questions/questions';
import type { Attempt, Launch } from '../../model/attempt';
import { isStopped, laneOf, waitsForIntervention, waitsForMemory, waitsForPerson } from '../../model/lanes';
import type { Mission, TaskRow, ReceivedPlan } from '../../model/state';

interface LaunchOutcome {
  readonly launch: Launch;
  readonly outcome: TaskOutcome;
}

/**
 * Returns what became of a task, for the terminal of the last worker that ended. Where the task waits for a person, it
 * says what that person can do. Null while its first worker runs, and when none was launched.
 */
export function taskOutcome(mission: Mission, row: TaskRow): LaunchOutcome | null {
  const { task, status, code, reason, attempts } = row;
  const { task_id } = task;
  const lane = laneOf(mission, task_id);
  if (lane) return ofLane(mission, lane, row);
  const last = attempts.at(-1);
  const launch = last && workerLaunch(last);
  if (!launch || status === 'todo' || status === 'in_progress') return null;
  const { launch_id } = launch;
  const asking = waitsForPerson(row) ? askingPacket(mission, task_id) : undefined;
  const skipped = row.skipped && status === 'canceled' ? ({ skipped: true } as const) : {};
  const waits = waitsForPerson(row) && !mission.ending;
  const next = waits ? { next: stepTexts(possibleStepsOf(mission, row)) } : {};
  return {
    launch,
    outcome: {
      ...{ launch_id, task_id, status, stopped: isStopped(row), ...skipped, code },
      reason: asking ? `${reason} ${askedSentence(asking)}` : reason,
      ...next,
    },
  };
}

function ofLane(mission: ReceivedPlan, lane: Attempt, { attempts }: TaskRow): LaunchOutcome | null {
  const { task_id, intervention, decided_by } = lane;
  const running = { task_id, status: 'in_progress', stopped: false, code: null } as const;
  const made = lane.validates?.launch ?? workerLaunch(lane);
  if (lane.memory && waitsForMemory(lane) && made) {
    const { why, next } = memoryWords(mission, lane, lane.memory);
    const asked = { awaited: true, code: 'ASK_USER', reason: why, next: stepTexts(next) } as const;
    return { launch: made, outcome: { launch_id: made.launch_id, ...running, ...asked } };
  }
  if (intervention) {
    const launch = workerLaunch(lane);
    if (!launch) return null;
    const { launch_id } = launch;
    if (!waitsForIntervention(lane)) {
      const reason = `its result was completed${by(intervention.decision)}; it is verified once more`;
      return { launch, outcome: { launch_id, ...running, reason } };
    }
    const { why, next } = interventionWords(mission, lane, intervention);
    const code = 'INTERVENTION_REQUIRED';
    return { launch, outcome: { launch_id, ...running, awaited: true, code, reason: why, next: stepTexts(next) } };
  }
  const replaced = lane.launches.filter(({ purpose }) => purpose.kind === 'worker').at(-2);
  if (replaced) {
    const { launch_id } = replaced;
    return { launch: replaced, outcome: { launch_id, ...running, reason: 'its worker is launched once more' } };
  }
  const earlier = attempts.at(-1);
  const launch = earlier && workerLaunch(earlier);
  if (!launch) return null;
  const reason = `attempt ${lane.attempt} goes on with it, decided${by(decided_by)}`;
  return { launch, outcome: { launch_id: launch.launch_id, ...running, reason } };
}

function by(decision: HumanDecision | null): string {
  return decision === null ? '' : ` by ${decision.actor.name}: ${withoutEnd(decision.reason)}`;
}
