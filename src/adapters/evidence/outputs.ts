import { asLeft, leftBefore, leftBy, notAsLeft, type Left } from '../../base/left';
import { firstNamed } from '../../base/text/firstNamed';
import type { EvidenceFacts } from '../../core/verify/facts';
import { evidenceFinding, withHint, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import { foundAt } from '../files/foundAt';
import { lineEndsExplain } from '../files/lineEnds';
import { readWorkspaceFile } from '../files/workspaceFile';

/** Files read at once: more would not be faster, and each may be large. */
const readers = 8;

/** Compares each changed file's last recorded digest with the file now; names at most a hundred that differ. */
export async function checkOutputs(
  workspaceRoot: string,
  documents: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const expected = [...expectedOutputs(documents)];
  const found: (EvidenceFinding | null)[] = [];
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let index = next++; index < expected.length; index = next++) {
      const [path, one] = expected[index] ?? [];
      found[index] = path === undefined || !one ? null : await checkOutput(workspaceRoot, path, one);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return firstNamed(
    found.filter((finding) => finding !== null),
    'the evidence of the tasks',
    (words) => evidenceFinding('OUTPUT_CHANGED_SINCE', '', `Files are not as their tasks left them: ${words}.`),
  );
}

/** What the last task that changed a path left there, and what lay there before the first one. */
interface Expected {
  readonly left: Left;
  readonly before: Left;
  readonly task_id: string;
}

function expectedOutputs({ header, tasks }: EvidenceFacts): ReadonlyMap<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const [task_id, { evidence }] of tasks)
    for (const { path, ...output } of evidence?.carried_from?.outputs ?? [])
      expected.set(path, { left: asLeft(output), before: unrecorded, task_id });
  for (const { task_id } of header.tasks ?? []) {
    const { attempts = [], outstanding = [] } = tasks.get(task_id)?.evidence ?? {};
    for (const attempt of attempts) {
      for (const change of attempt.changes) {
        if (change.kind === 'git' || change.kind === 'index_flag') continue;
        const before = expected.get(change.path)?.before ?? leftBefore(change);
        expected.set(change.path, { left: leftBy(change), before, task_id });
      }
      // What blocked the task, and this attempt found as it was before.
      for (const entry of outstanding) {
        const known = entry.kind === 'git' || entry.kind === 'index_flag' ? undefined : expected.get(entry.path);
        if (known && entry.gone_in_attempt === attempt.attempt)
          expected.set(entry.path, { ...known, left: leftBefore(entry) });
      }
    }
  }
  return expected;
}

const unrecorded: Left = { kind: 'unknown', why: 'what it held was not recorded' };

async function checkOutput(
  workspaceRoot: string,
  path: string,
  { left, before, task_id }: Expected,
): Promise<EvidenceFinding | null> {
  // What was not recorded cannot be compared, so it counts as unchanged.
  if (left.kind === 'unknown') return null;
  const now = await foundAt(workspaceRoot, path);
  const how = notAsLeft(left, now);
  if (how === null) return null;
  if (notAsLeft(before, now) === null)
    return evidenceFinding('OUTPUT_CHANGED_SINCE', path, `It is as it was before task ${task_id} changed it.`);
  const digest = left.kind === 'file' ? left.sha256 : null;
  const file = digest !== null && now.kind === 'file' ? await readWorkspaceFile(workspaceRoot, path) : null;
  const converted = digest !== null && file?.kind === 'file' && lineEndsExplain(file.bytes, digest);
  return withHint(
    evidenceFinding('OUTPUT_CHANGED_SINCE', path, `Not as task ${task_id} left it: it ${how}.`),
    converted ? 'Only line ends or the byte-order mark differ: git or an editor converted them.' : null,
  );
}
