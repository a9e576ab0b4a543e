import type { HumanDecision } from '../../contracts/record/header';
import { decisionStep, stepLines } from '../../base/text/steps';
import { askedInAttempt } from '../lifecycle/intervention';
import type { MissionEvent } from '../model/events';
import { laneOf } from '../model/lanes';
import { liveSession } from '../model/session';
import { openPackets, type Progress, rowNamed, type TaskRow } from '../model/state';
import { needsDecision, waitOf } from './resolve/waits';
import { closed, packetsStep, refuse, unknownTask, statusStep } from './parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from './parts/commandDecision';
import { motionOf } from './effects';
import { fixedByHand, mendableByHand } from './resolve/grant';
import { exportHandoff, leftBehind } from './handoff/handoffs';
import { blockedBy, cannotRetry } from './resolve/packetCommands';
import { answerSteps } from './questions/questions';
import { cancelUnderWay } from './takeover/takeover';

/** Commands about whether the mission and its workers run, here or elsewhere. */
export const running: Behaviours<'PauseMission' | 'ResumeMission' | 'CancelMission' | 'ExportHandoff' | 'StopTask'> = {
  PauseMission: {
    offered: 'mission',
    refused: (mission) =>
      mission.hold.kind === 'none'
        ? null
        : refuse(
            'ALREADY_PAUSED',
            'The mission is paused already, or will be after the current attempt.',
            waiting(mission)?.next ?? [decisionStep('resume', mission.mission_id)],
          ),
    decide(mission, _command, decision) {
      const running = mission.lanes.map(({ task_id }) => task_id).join(', ');
      const reason = running === '' ? 'Paused.' : `Pauses after the current attempt of ${running}.`;
      return { events: [{ type: 'PauseRequested', decision }], reason };
    },
    ...{ continues: false, isOrder: true, whileStuck: true, byRunner: () => true },
  },
  ResumeMission: {
    offered: 'mission',
    refused: cannotResume,
    decide: (mission, _command, decision) => resume(mission, decision),
    continues: true,
    // The owner died before all evidence of the end was written: a resume writes the rest and runs nothing.
    afterEnd: ({ execution }, _command, ownerless) => (ownerless && execution !== 'REPORTED' ? 'taken' : null),
  },
  CancelMission: {
    offered: 'mission',
    refused: (mission) =>
      cancelUnderWay(mission)
        ? refuse('MISSION_CLOSED', 'The mission is being canceled already.', [statusStep(mission)])
        : null,
    decide: ({ lanes }, _command, decision) => ({
      events: [
        { type: 'CancelRequested', decision },
        ...lanes.map(({ task_id }): MissionEvent => ({ type: 'TaskStopRequested', task_id, decision })),
      ],
      reason: 'The mission is being canceled: its workers are stopped first, then its open tasks are canceled.',
    }),
    continues: false,
  },
  ExportHandoff: {
    offered: 'mission',
    refused: (mission, { move }) => cannotExport(mission) ?? (move ? cannotMove(mission) : null),
    decide: (mission, { move }, decision, asked) => ({
      events: exportHandoff(mission, asked, move ? decision : null),
      reason: `${move ? 'The run ends here as soon as its handoff is written.' : 'A handoff is requested.'}${leftBehind(mission)}`,
    }),
    continues: false,
    takesOver: ({ move }) => move,
    byRunner: ({ move }) => !move,
  },
  StopTask: {
    offered: 'running',
    refused(mission, { task_id: taskId }) {
      if (!rowNamed(mission, taskId)) return unknownTask(mission, taskId);
      if (laneOf(mission, taskId) || liveSession(mission)?.task_id === taskId) return null;
      const running = mission.lanes.map(({ task_id }) => decisionStep('stop', mission.mission_id, task_id));
      return refuse(
        'TASK_NOT_RUNNING',
        `Task ${taskId} has no running worker.`,
        running.length > 0 ? running : [statusStep(mission)],
      );
    },
    decide(mission, { task_id }, decision) {
      const what = laneOf(mission, task_id) ? `worker of ${task_id}` : `session of the orchestrator about ${task_id}`;
      return {
        events: [{ type: 'TaskStopRequested', task_id, decision }],
        reason: `The ${what} is being stopped with its whole process tree.`,
      };
    },
    continues: false,
  },
};

export const acknowledging: Behaviours<'Acknowledge'> = {
  Acknowledge: {
    offered: hasUnseenFailure,
    refused: cannotAcknowledge,
    decide: (_mission, _command, decision) => ({
      events: [{ type: 'FailureAcknowledged', decision }],
      reason: 'Acknowledged.',
    }),
    ...{ continues: false, whileStuck: true },
    afterEnd: () => 'taken',
  },
};

/** Blocks have commands of their own, and a cancellation was a person's decision. */
export function hasUnseenFailure(mission: Progress): boolean {
  return mission.ending?.cancelled === false && cannotAcknowledge(mission) === null;
}

function cannotResume(mission: Progress, _command: unknown, ownerless: boolean): Refused | null {
  if (closed(mission)) return null;
  if (mendableByHand(mission)) return null;
  const waits = waiting(mission);
  // A pending decision does not hold up running lanes, packets and handoffs.
  if (waits) return ownerless && motionOf(mission) !== 'rests' ? null : waits;
  if (mission.hold.kind !== 'none' || ownerless) return null;
  return refuse('NOT_PAUSED', 'The mission is not paused.', [statusStep(mission)]);
}

function cannotExport(mission: Progress): Refused | null {
  if (mission.execution !== 'EXECUTING') {
    const reason = `The mission is ${mission.execution}, not EXECUTING: there is nothing to hand over.`;
    return refuse('MISSION_ACTIVE', reason, [statusStep(mission)]);
  }
  if (mission.handoffs.some((handoff) => handoff.move && handoff.state.kind === 'pending'))
    return refuse('MISSION_CLOSED', 'The run is being given away already.', [statusStep(mission)]);
  return null;
}

/** A run is given away only while nothing of it runs here. */
function cannotMove(mission: Progress): Refused | null {
  const running = mission.lanes.map(({ task_id }) => task_id);
  if (mission.cancel && running.length === 0)
    return refuse('MISSION_ACTIVE', 'The mission is being canceled.', [statusStep(mission)]);
  if (running.length > 0)
    return refuse(
      'MISSION_ACTIVE',
      `Running: ${running.join(', ')}. A run is given away only while nothing of it runs here.`,
      mission.cancel
        ? [statusStep(mission)]
        : [
            ...(mission.hold.kind === 'none' ? [decisionStep('pause', mission.mission_id)] : []),
            ...running.map((task) => decisionStep('stop', mission.mission_id, task)),
          ],
    );
  const unproven = mission.rows.find((row) => row.unproven);
  if (!unproven) return null;
  return refuse('MISSION_ACTIVE', `Processes of ${unproven.task.task_id} are not proven gone.`, [packetsStep(mission)]);
}

function cannotAcknowledge(mission: Progress): Refused | null {
  const something = openPackets(mission).length > 0 || mission.ending?.outcome === 'FAILED';
  if (something && !mission.acknowledged) return null;
  return refuse('NOTHING_TO_ACKNOWLEDGE', 'There is no unacknowledged failure or block.', [statusStep(mission)]);
}

/** The refusal while a person has to decide about a blocked task; null: none is, or it goes on by itself. */
export function waiting(mission: Progress): Refused | null {
  const open = openPackets(mission).filter((packet) => !waitOf(mission, packet)?.goesOn);
  const steps = stepLines(mission.rows.flatMap(({ task }) => answerSteps(mission, task.task_id)));
  if (open.length > 0) {
    const blocked = blockedBy(mission, open);
    return { ...blocked, next: [...steps, ...blocked.next] };
  }
  const asked = askedInAttempt(mission);
  if (asked) return refuse('PACKET_OPEN', asked.reason, stepLines(asked.next));
  const blocked = mission.rows.find((row) => needsDecision(mission, row));
  if (!blocked) return null;
  const cannot = cannotRetry(mission, blocked.task.task_id, 'retry-repair');
  return refuse('PACKET_OPEN', `Task ${blocked.task.task_id} was left blocked: ${blocked.reason}`, [
    ...(cannot ? cannot.next : [decisionStep('retry', mission.mission_id, blocked.task.task_id)]),
    ...(cannot ? [] : [decisionStep('cancel', mission.mission_id)]),
  ]);
}

function resume(mission: Progress, decision: HumanDecision): CommandDecision {
  const undecided = (row: TaskRow): boolean => needsDecision(mission, row);
  if (closed(mission))
    return { events: [], reason: 'The mission has ended; what is missing of its evidence is being written.' };
  const fixed = fixedByHand(mission, decision);
  if (fixed) {
    const events: readonly MissionEvent[] =
      mission.hold.kind === 'none' ? fixed : [...fixed, { type: 'MissionResumed', decision }];
    return { events, reason: 'What recovery could not mend is fixed by hand: its task is tried again.' };
  }
  if (openPackets(mission).some((packet) => !waitOf(mission, packet)?.goesOn) || mission.rows.some(undecided))
    return { events: [], reason: 'What was begun is brought to its end; the blocked task still waits for a decision.' };
  if (mission.hold.kind === 'none') return { events: [], reason: 'The mission continues where it stopped.' };
  return { events: [{ type: 'MissionResumed', decision }], reason: 'The mission goes on.' };
}
