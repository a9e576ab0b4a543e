import { isObject, listAt, numberAt, objectAt, textAt, textsAt } from '../../../base/json';
import { firstLines } from '../../../base/text/firstNamed';
import { withoutEnd } from '../../../base/text/plainLine';
import { decisionStep } from '../../../base/text/steps';
import { criterionWords } from '../../../base/text/words';
import type { ShownEvidence } from '../../../contracts/page/panelView';
import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';

/** What lies on the disk of the newest mission of a plan. A document is any JSON value. */
export interface FoundOnDisk {
  readonly plan_id: string;
  /** When it was written, ISO-8601. */
  readonly at: string;
  /** Null: it is gone. */
  readonly header: unknown;
  readonly tasks: readonly string[];
  readonly packets: readonly { readonly path: string; readonly document: unknown }[];
  /** The newest handoff, POSIX, relative to the workspace root; null: none. */
  readonly handoff: string | null;
}

/** `mission_id` null: nothing names it. */
export type EvidenceOfFolder = ShownEvidence & { readonly at: string; readonly mission_id: string | null };

/** A mission without a journal, as its files describe it, before a check. */
export function shownEvidence(found: FoundOnDisk): EvidenceOfFolder {
  const { plan_id: planId, at, header, tasks, handoff } = found;
  const packets = found.packets.map(({ path, document }) => foundPacket(path, document));
  const mission = isObject(header) ? textAt(header, 'mission_id') : null;
  const dir = `${executionsDir}/${planId}`;
  const verified = { standing: 'unknown', text: 'Not verified yet', dir, findings: [] } as const;
  const ended = isObject(header) && textAt(header, 'ended_at_utc') !== null;
  // A header is written before the first task, so that its status says nothing of a mission without an end.
  const end = ended ? (textAt(header, 'final_state') ?? textAt(header, 'status')) : 'not ended';
  const outcome = (header === null ? null : end) ?? 'unknown';
  return {
    ...{ plan_id: planId, mission_id: mission, at, dir, outcome, verified, packets },
    says: [
      `The journal of this machine does not know the mission. ${header === null ? 'No header of it lies in this repository.' : `Its evidence says: ${outcome}.`}`,
      ...(ended ? endOf(header) : []),
      ...tasksOf(ended ? header : null, tasks, dir),
      ...(ended ? [] : ['Without its journal, what runs, what waits and what a person decided is not known.']),
      ...packets.map(({ packet_id, task_id, reason }) => `Packet ${packet_id} of task ${task_id}: ${reason}`),
    ],
    next: ended ? [] : waysBack(mission ?? planId, handoff),
  };
}

function endOf(header: unknown): readonly string[] {
  const reason = textAt(header, 'reason');
  const by = textAt(header, 'approved_by');
  return [
    ...(reason === null ? [] : [`${withoutEnd(reason)}.`]),
    ...(by === null ? [] : [`Approved by ${by} at ${textAt(header, 'approved_at') ?? 'an unknown time'}.`]),
    ...(listAt(header, 'success_criteria') ?? []).flatMap((one) => {
      const [criterion, result] = [textAt(one, 'criterion'), textAt(one, 'result')];
      const accepted_by = textsAt(one, 'accepted_by').map(([name]) => name);
      return criterion === null || result === null ? [] : [`${criterion}: ${criterionWords({ result, accepted_by })}.`];
    }),
  ];
}

/** Says of each task what the header has. Without that, names the tasks that have evidence. */
function tasksOf(header: unknown, withEvidence: readonly string[], dir: string): readonly string[] {
  const known = (listAt(header, 'tasks') ?? []).flatMap((task) => {
    const [id, status, code] = [textAt(task, 'task_id'), textAt(task, 'status'), textAt(task, 'code')];
    const attempts = numberAt(task, 'attempts') ?? 0;
    const how = `${status ?? 'unknown'}${code === null ? '' : ` (${code})`}`;
    return id === null ? [] : [`Task ${id}: ${how}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}.`];
  });
  if (known.length > 0) return firstLines(known, dir);
  return withEvidence.length > 0 ? [`Tasks with evidence: ${withEvidence.join(', ')}.`] : [];
}

function waysBack(mission: string, handoff: string | null): readonly string[] {
  if (handoff !== null) return [decisionStep('handoff resume', handoff)];
  return [
    `Where its journal is: ${decisionStep('handoff export', mission)}`,
    `Then here: ${decisionStep('handoff resume', 'DIR')}`,
  ];
}

function foundPacket(path: string, packet: unknown): ShownEvidence['packets'][number] {
  const block = objectAt(packet, 'block');
  return {
    packet_id: textAt(packet, 'packetId') ?? 'unknown',
    task_id: textAt(block, 'failedItemId') ?? 'unknown',
    reason: textAt(block, 'status') ?? textAt(block, 'reasonCategory') ?? 'it cannot be read',
    path,
  };
}
