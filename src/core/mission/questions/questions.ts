import type { Question } from '../../../contracts/handoff';
import type { StepOf } from '../../../contracts/vocabulary/steps';
import { stepLines } from '../../../base/text/steps';
import { acceptance } from '../../model/waitingWork';
import { rowOf, type Packet, type Tasks, type Progress, type Course, type ReceivedPlan } from '../../model/state';

export type Asking = Packet & { readonly question: Question };

export function askingPacket(mission: Course, taskId: string): Asking | undefined {
  const packet = mission.packets.findLast(({ task_id }) => task_id === taskId);
  return packet && isAsking(packet) ? packet : undefined;
}

export function answerSteps(mission: Progress, taskId: string): readonly StepOf<'answer'>[] {
  const packet = askingPacket(mission, taskId);
  return packet ? answersTo(mission, packet) : [];
}

export function stepsOf(mission: ReceivedPlan, packet: Asking): readonly string[] {
  return stepLines(answersTo(mission, packet));
}

function answersTo(
  { mission_id: mission }: ReceivedPlan,
  { packet_id, task_id: task, question }: Asking,
): readonly StepOf<'answer'>[] {
  // Words answer every question. Where there are several choices, its text says so.
  const choices = [...question.choices.map(({ id }) => id), ...(question.choices.length > 1 ? [] : [null])];
  const isAcceptance = question.choices.some(({ id }) => id === acceptance.choice);
  const packet = isAcceptance ? { packet: packet_id } : {};
  return choices.map((choice) => ({ command: 'answer', args: { mission, task, choice, ...packet } }));
}

/** Returns whether an answer runs nothing: a command reads none, and what the runner asks has choices. */
export function isOnlyRecorded(mission: Tasks, { task_id, question }: Asking): boolean {
  return rowOf(mission, task_id).task.worker === 'command' && question.asked_by.kind !== 'runner';
}

/** Returns what every answer leads to; null: its choices say it. */
export function leadsTo(mission: Tasks, packet: Asking): 'attempt' | 'record' | null {
  const { about, choices } = packet.question;
  if (about || choices.some(({ outcome }) => outcome)) return null;
  return isOnlyRecorded(mission, packet) ? 'record' : 'attempt';
}

export function isAsking(packet: Packet): packet is Asking {
  return packet.question !== null && packet.answer === null && answerable(packet);
}

export function answerable(packet: Packet): boolean {
  return packet.state.kind === 'open' || (packet.state.kind === 'resolved' && packet.state.outcome === 'leave-blocked');
}
