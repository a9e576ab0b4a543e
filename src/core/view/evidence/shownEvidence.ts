import { isObject, listAt, numberAt, objectAt, textAt, textsAt, valueAt } from '../../../base/json';
import { firstLines, firstNamed } from '../../../base/text/firstNamed';
import { withoutEnd } from '../../../base/text/plainLine';
import { decisionStep } from '../../../base/text/steps';
import { attemptsWords, criterionWords } from '../../../base/text/words';
import type { ShownEvidence } from '../../../contracts/page/panelView';
import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import { utcText } from '../../../base/text/amounts';

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
      ...(ended ? [] : ['Without its journal, what runs, what waits and what a person decided is not known.']),
      ...packets.map(({ packet_id, task_id, reason }) => `Packet ${packet_id} of task ${task_id}: ${reason}`),
    ],
    tasks: tasksOf(ended ? header : null, tasks, dir),
    decisions: [],
    next: ended ? [] : waysBack(mission ?? planId, handoff),
  };
}

/** Adds what its documents say of each task, and what people decided. A document is any JSON value. */
export function withDocuments(evidence: ShownEvidence, documents: readonly unknown[]): ShownEvidence {
  const byTask = new Map(documents.map((document) => [textAt(document, 'task_id'), document]));
  return {
    ...evidence,
    tasks: evidence.tasks.map((task) => withWork(task, byTask.get(task.task_id), evidence.dir)),
    decisions: [...new Set(documents.flatMap(decisionsIn).sort())].map((line) => line.replace(/^\S+/, utcText)),
  };
}

/** Says who worked and what that changed in any attempt. */
function withWork(
  task: ShownEvidence['tasks'][number],
  document: unknown,
  dir: string,
): ShownEvidence['tasks'][number] {
  const changes = (listAt(document, 'attempts') ?? []).flatMap((attempt) => listAt(attempt, 'changes') ?? []);
  const paths = changes.flatMap((change) =>
    textAt(change, 'attribution') === 'worker' ? (textAt(change, 'path') ?? []) : [],
  );
  const changed = firstLines([...new Set(paths)], dir).join(', ');
  return {
    ...{ ...task, worker: textAt(document, 'worker') ?? '' },
    ...(changed !== '' && { description: `${task.description}, changed ${changed}` }),
  };
}

/** Members that hold decisions, and their words. A worker writes no text into them. */
const decided = {
  ...{ decided_by: 'retry', answers: 'answer', intervention: 'completed result', memory: 'memory', skipped: 'skip' },
  ...{ undone: 'undo', metadata_revised: 'revision', resumed_from: 'resume', superseded_by: 'revision' },
};

/** A line for each, which begins with its time. */
function decisionsIn(document: unknown): readonly string[] {
  const task = textAt(document, 'task_id');
  const holders = [document, ...(listAt(document, 'attempts') ?? [])].flatMap((part) =>
    Object.entries(decided).flatMap(([member, word]) =>
      [valueAt(part, member)].flat().map((holder) => ({ word, decision: objectAt(holder, 'decision') ?? holder })),
    ),
  );
  return holders.flatMap(({ word, decision }) => {
    const [at, name] = [textAt(decision, 'at'), textAt(objectAt(decision, 'actor'), 'name')];
    if (at === null || name === null) return [];
    const what = `${textAt(decision, 'outcome') ?? word}${task === null ? '' : `, ${task}`}`;
    return [`${at} ${name}: ${what}: ${textAt(decision, 'reason') ?? ''}`];
  });
}

function endOf(header: unknown): readonly string[] {
  const reason = textAt(header, 'reason');
  const by = textAt(header, 'approved_by');
  return [
    ...(reason === null ? [] : [`${withoutEnd(reason)}.`]),
    ...(by === null ? [] : [`Approved by ${by} at ${utcText(textAt(header, 'approved_at') ?? 'an unknown time')}.`]),
    ...(listAt(header, 'success_criteria') ?? []).flatMap((one) => {
      const [criterion, result] = [textAt(one, 'criterion'), textAt(one, 'result')];
      const accepted_by = textsAt(one, 'accepted_by').map(([name]) => name);
      return criterion === null || result === null ? [] : [`${criterion}: ${criterionWords({ result, accepted_by })}.`];
    }),
  ];
}

/** Says of each task what the header has. Without that, names the tasks that have evidence. */
function tasksOf(header: unknown, withEvidence: readonly string[], dir: string): ShownEvidence['tasks'] {
  const task = (task_id: string, description: string) => ({ task_id, description, worker: '' });
  const known = (listAt(header, 'tasks') ?? []).flatMap((row) => {
    const [id, status, code] = [textAt(row, 'task_id'), textAt(row, 'status'), textAt(row, 'code')];
    const how = `${status ?? 'unknown'}${code === null ? '' : ` (${code})`}`;
    return id === null ? [] : [task(id, `${how}, ${attemptsWords(numberAt(row, 'attempts') ?? 0)}`)];
  });
  const all = known.length > 0 ? known : withEvidence.map((id) => task(id, 'has evidence'));
  return firstNamed(all, dir, (rest) => task('', rest));
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
