import { asLeft, leftBy, notAsLeft, type Left } from '../../base/left';
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
      const [path, left] = expected[index] ?? ['', { kind: 'nothing' }];
      found[index] = await checkOutput(workspaceRoot, path, left);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return firstNamed(
    found.filter((finding) => finding !== null),
    'the evidence of the tasks',
    (words) => evidenceFinding('OUTPUT_CHANGED_SINCE', '', `Files are not as the mission left them: ${words}.`),
  );
}

function expectedOutputs({ header, tasks }: EvidenceFacts): ReadonlyMap<string, Left> {
  const expected = new Map<string, Left>();
  for (const { evidence } of tasks.values())
    for (const { path, ...output } of evidence?.carried_from?.outputs ?? []) expected.set(path, asLeft(output));
  for (const row of header.tasks ?? []) {
    for (const attempt of tasks.get(row.task_id)?.evidence?.attempts ?? []) {
      for (const change of attempt.changes) {
        if (change.kind !== 'git' && change.kind !== 'index_flag') expected.set(change.path, leftBy(change));
      }
    }
  }
  return expected;
}

async function checkOutput(workspaceRoot: string, path: string, left: Left): Promise<EvidenceFinding | null> {
  // What was not recorded cannot be compared, so it counts as unchanged.
  if (left.kind === 'unknown') return null;
  const now = await foundAt(workspaceRoot, path);
  const how = notAsLeft(left, now);
  if (how === null) return null;
  const digest = left.kind === 'file' ? left.sha256 : null;
  const file = digest !== null && now.kind === 'file' ? await readWorkspaceFile(workspaceRoot, path) : null;
  const converted = digest !== null && file?.kind === 'file' && lineEndsExplain(file.bytes, digest);
  return withHint(
    evidenceFinding('OUTPUT_CHANGED_SINCE', path, `Not as the mission left it: it ${how}.`),
    converted ? 'Only line ends or the byte-order mark differ: git or an editor converted them.' : null,
  );
}
