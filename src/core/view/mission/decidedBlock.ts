import { oneLine } from '../../../base/text/plainLine';
import { answerText } from '../../../base/text/words';
import type { HumanDecision } from '../../../contracts/record/header';
import type { Actor } from '../../../contracts/vocabulary/actors';
import { fewNamed } from '../../../base/text/firstNamed';
import { putBackStep, putBackWords } from '../../lifecycle/judge/judgeVerifyChanges';
import {
  attemptOf,
  categoryOf,
  openChanges,
  type Packet,
  type Progress,
  rowOf,
  type TaskRow,
  type Tasks,
} from '../../model/state';
import { nameOfChange, type OutstandingChange } from '../../observation/outstanding';

/** `Left blocked by Ann: later`, `Ann accepted README.md: as wanted`; null: it waits, or the task goes on. */
export function decidedBlock(mission: Progress, taskId: string): string | null {
  const row = rowOf(mission, taskId);
  const packet = mission.packets.findLast(({ task_id }) => task_id === taskId);
  if (!packet || row.status !== 'blocked') return null;
  const { state } = packet;
  if (state.kind === 'resolved' && state.outcome === 'leave-blocked') {
    const { actor, reason } = state.decision;
    return `Left blocked by ${whoOf(actor)}: ${reason}`;
  }
  if (state.kind !== 'open' || !blockedByChanges(mission, packet) || openChanges(row).length > 0) return null;
  return acceptedSince(row, packet);
}

/** Without what asks to put back or accept what was accepted; of a part, they begin with who accepted it. */
export function detailsLeft(mission: Tasks, packet: Packet, details: readonly string[]): readonly string[] {
  const row = rowOf(mission, packet.task_id);
  const accepted = row.outstanding.filter(({ settled }) => settled?.how === 'accepted');
  if (accepted.length === 0) return details;
  const open = openChanges(row);
  // Other bytes at an accepted place block anew, so their line stays.
  const isDecided = (line: string): boolean =>
    accepted.some((entry) => names(line, entry)) && !open.some((entry) => names(line, entry));
  const left = details.flatMap((line) => {
    if (isDecided(line)) return [];
    if (!line.startsWith(putBackWords)) return [line];
    return open.length === 0 ? [] : [putBackStep(mission, packet.task_id, open)];
  });
  const since = open.length === 0 ? null : acceptedSince(row, packet);
  return since === null ? left : [since, ...left];
}

/** Says what a person answered about a task that is still blocked, as of a command, which reads no answer. */
export function answerLines({ answer, task_id }: Packet): readonly string[] {
  if (!answer) return [];
  const { actor, reason } = answer.decision;
  return [`${whoOf(actor)} answered the question of ${task_id}: ${oneLine(answerText(answer))} (${reason})`];
}

function names(line: string, { kind, path }: OutstandingChange): boolean {
  const listed =
    kind === 'unread' ? [`${path} stands for `] : [path, nameOfChange({ path, kind })].map((it) => `${kind} ${it}`);
  return listed.some((words) => line === words || line.startsWith(kind === 'unread' ? words : `${words}: `));
}

/** An accept decides such a block; any other still has its own cause. */
function blockedByChanges(mission: Tasks, packet: Packet): boolean {
  const failure = attemptOf(mission, packet)?.failure;
  if (failure?.kind === 'recoverable' && failure.human_only !== null) return false;
  return ['verify_changed_files', 'external_change'].includes(categoryOf(mission, packet));
}

/** Null: nothing was accepted after the packet was issued. */
function acceptedSince(row: TaskRow, { issued_at }: Packet): string | null {
  const accepted = row.outstanding.flatMap((entry) =>
    entry.settled?.how === 'accepted' && entry.settled.decision.at >= issued_at
      ? [{ name: nameOfChange(entry), decision: entry.settled.decision }]
      : [],
  );
  const decisions = new Map<string, HumanDecision>(accepted.map(({ decision }) => [decision.at, decision]));
  const text = [...decisions.values()].map(({ at, actor, reason }) => {
    const names = accepted.filter(({ decision }) => decision.at === at).map(({ name }) => name);
    return `${whoOf(actor)} accepted ${fewNamed(names)}: ${reason}`;
  });
  return text.length === 0 ? null : text.join('; ');
}

function whoOf({ kind, name }: Actor): string {
  return kind === 'orchestrator' ? `the orchestrator ${name}` : name;
}
