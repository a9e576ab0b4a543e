import type { Actor } from '../../contracts/vocabulary/actors';
import { fewNamed } from '../../base/text/firstNamed';
import { putBackWords } from '../lifecycle/judgeVerifyChanges';
import { categoryOf, openChanges, rowOf, type Mission, type Packet, type TaskRow } from '../model/state';
import { nameOfChange, type HumanDecision, type OutstandingChange } from '../observation/outstanding';

/** What was decided about a block of a task that is still blocked. */
export interface DecidedBlock {
  readonly how: 'left_blocked' | 'accepted';
  /** `Left blocked by Ann: later` or `Ann accepted README.md: as wanted` */
  readonly text: string;
}

/** The decision about the task's last packet; null: it waits for one, or the task goes on. */
export function decidedBlock(mission: Mission, taskId: string): DecidedBlock | null {
  const row = rowOf(mission, taskId);
  const packet = mission.packets.findLast(({ task_id }) => task_id === taskId);
  if (!packet || row?.status !== 'blocked') return null;
  const { state } = packet;
  if (state.kind === 'resolved' && state.outcome === 'leave-blocked') {
    const { actor, reason } = state.decision;
    return { how: 'left_blocked', text: `Left blocked by ${whoOf(actor)}: ${reason}` };
  }
  return state.kind === 'open' && blockedByChanges(mission, row, packet) ? acceptedSince(row, packet) : null;
}

/** The details of a block without what asks to put back or to accept what was accepted. */
export function detailsLeft(row: TaskRow, details: readonly string[]): readonly string[] {
  const accepted = row.outstanding.filter(({ settled }) => settled?.how === 'accepted');
  if (accepted.length === 0) return details;
  const none = openChanges(row).length === 0;
  return details.filter(
    (line) => !(none && line.startsWith(putBackWords)) && !accepted.some((entry) => names(line, entry)),
  );
}

/** A line of a judge that lists this change, with or without what blocks about it. */
function names(line: string, { kind, path }: OutstandingChange): boolean {
  const listed =
    kind === 'unread' ? [`${path} stands for `] : [path, nameOfChange({ path, kind })].map((it) => `${kind} ${it}`);
  return listed.some((words) => line === words || line.startsWith(kind === 'unread' ? words : `${words}: `));
}

/** An accept decides such a block; any other still has its own cause. */
function blockedByChanges(mission: Mission, { attempts }: TaskRow, packet: Packet): boolean {
  const failure = attempts.find(({ attempt }) => attempt === packet.attempt)?.failure;
  if (failure?.kind === 'recoverable' && failure.human_only !== null) return false;
  return ['verify_changed_files', 'external_change'].includes(categoryOf(mission, packet));
}

/** All changes that blocked the task are settled, the last of them by a person after the packet was issued. */
function acceptedSince(row: TaskRow, { issued_at }: Packet): DecidedBlock | null {
  if (openChanges(row).length > 0) return null;
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
  return text.length === 0 ? null : { how: 'accepted', text: text.join('; ') };
}

function whoOf({ kind, name }: Actor): string {
  return kind === 'orchestrator' ? `the orchestrator ${name}` : name;
}
