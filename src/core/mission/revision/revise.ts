import type { HumanDecision } from '../../../contracts/record/header';
import { decisionStep } from '../../../base/text/steps';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { revisedWords } from '../../evidence/revisedWords';
import type { MissionEvent } from '../../model/events';
import { laneOf } from '../../model/lanes';
import { isOpen } from '../../ledger/transitions';
import { type Packet, type Progress, type ReceivedPlan, rowNamed, type TaskRow, type Tasks } from '../../model/state';
import { refuse, statusStep, packetsStep, unknownPacket, unknownTask, written } from '../parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from '../parts/commandDecision';
import { attemptsOf } from '../handoff/handoffs';
import { reviseSteps, revisionProblem, differing } from './revisable';
import { answerable } from '../questions/questions';
import { endsAnyway } from '../resolve/skip';

type ReviseMetadata = Extract<MissionCommand, { type: 'ReviseMetadata' }>;
type Place = Pick<ReviseMetadata, 'task_id' | 'packet_id'>;

export const revising: Behaviours<'ReviseMetadata'> = {
  ReviseMetadata: {
    ...{ offered: 'tasks', refused: cannotRevise, decide: revise, continues: false },
    ofStep: ({ field, value }, task_id) => ({
      ...{ type: 'ReviseMetadata', task_id, packet_id: null, changes: { [field]: value ?? written } },
    }),
  },
};

function cannotRevise(mission: Progress, place: Place): Refused | null {
  const found = rowAt(mission, place);
  return 'row' in found ? null : found;
}

/** Revises metadata for the next attempts of a task that does not run. The approved bytes stay as they are. */
export function revise(mission: Progress, body: ReviseMetadata, decision: HumanDecision): CommandDecision {
  const found = rowAt(mission, body);
  if (!('row' in found)) return found;
  const { row } = found;
  const { task_id } = row.task;
  const revised = differing(row, body.changes, decision.actor.kind);
  if (Object.keys(revised.after).length === 0) {
    const reason = `Nothing of task ${task_id} would be another than it is.`;
    return refuse('REVISION_INVALID', reason, reviseSteps(mission, task_id));
  }
  const problem = revisionProblem(mission, row, revised.after, decision.actor.kind);
  if (problem) return problem;
  const attempt = attemptsOf(row) + 1;
  const packet = mission.packets.findLast((one) => one.task_id === task_id && answerable(one));
  const waits =
    row.status === 'blocked' && !row.retry
      ? ` The task stays blocked until a person decides. Go on with: ${decisionStep('retry', mission.mission_id, task_id)}`
      : '';
  const events: readonly MissionEvent[] = [
    { type: 'MetadataRevised', task_id, ...revised, attempt, packet_id: packet?.packet_id ?? null, decision },
  ];
  return {
    events,
    reason: `Task ${task_id} is revised from attempt ${attempt} on: ${revisedWords(revised)}. The approved plan is as it was.${waits}`,
  };
}

function rowAt(mission: Progress, { task_id: named, packet_id }: Place): { readonly row: TaskRow } | Refused {
  const packet = packet_id === null ? null : (mission.packets.find((one) => one.packet_id === packet_id) ?? undefined);
  if (packet === undefined) return unknownPacket(mission, packet_id ?? '');
  if (packet && named !== null && named !== packet.task_id)
    return refuse('PACKET_UNKNOWN', `Packet ${packet.packet_id} is about task ${packet.task_id}, not ${named}.`, [
      packetsStep(mission),
    ]);
  const task_id = packet?.task_id ?? named;
  if (task_id === null)
    return refuse('TASK_UNKNOWN', 'Say which task is revised, or by which packet.', [statusStep(mission)]);
  const row = rowNamed(mission, task_id);
  if (!row) return unknownTask(mission, task_id);
  return (
    refusedAfterEnd(mission, row) ?? endsAnyway(mission) ?? running(mission, row) ?? closed(mission, packet) ?? { row }
  );
}

/** The task has gone on since: a command that names a closed packet refers to an outdated state. */
function closed(mission: ReceivedPlan, packet: Packet | null): Refused | null {
  if (packet === null || packet.state.kind === 'open') return null;
  const { packet_id, task_id, state } = packet;
  const how =
    state.kind === 'resolved'
      ? `resolved (${state.outcome}, by ${state.decision.actor.name})`
      : 'superseded by what was decided since';
  return refuse('PACKET_CLOSED', `Packet ${packet_id} is ${how}.`, reviseSteps(mission, task_id));
}

function refusedAfterEnd({ mission_id }: ReceivedPlan, { task, status, skipped }: TaskRow): Refused | null {
  if (isOpen(status) && !skipped) return null;
  const how = skipped ? 'skipped' : status;
  return refuse('TASK_FINISHED', `Task ${task.task_id} is ${how}: it has no next attempt to revise.`, [
    statusStep({ mission_id }),
  ]);
}

function running(mission: Tasks, { task, status }: TaskRow): Refused | null {
  if (status !== 'in_progress' && !laneOf(mission, task.task_id)) return null;
  const reason = `Task ${task.task_id} is in progress, and what runs keeps what it was started with: stop it first, then revise it.`;
  return refuse('MISSION_ACTIVE', reason, [decisionStep('stop', mission.mission_id, task.task_id)]);
}
