import type { Actor } from '../../contracts/vocabulary/actors';
import { fewNamed } from '../../base/text/firstNamed';
import { openChanges, rowOf, type Mission, type Packet, type TaskRow } from '../model/state';
import { nameOf, type HumanDecision } from '../observation/outstanding';

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
  return state.kind === 'open' ? acceptedSince(row, packet) : null;
}

/** All changes that blocked the task are settled, the last of them by a person after the packet was issued. */
function acceptedSince(row: TaskRow, { issued_at }: Packet): DecidedBlock | null {
  if (openChanges(row).length > 0) return null;
  const accepted = row.outstanding.flatMap((entry) =>
    entry.settled?.how === 'accepted' && entry.settled.decision.at >= issued_at
      ? [{ name: nameOf(entry), decision: entry.settled.decision }]
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
