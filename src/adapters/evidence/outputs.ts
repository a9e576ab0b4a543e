import { firstNamed } from '../../base/text/firstNamed';
import type { EvidenceFacts } from '../../core/verify/facts';
import {
  evidenceFinding,
  withHint,
  sameDigest,
  type EvidenceFinding,
} from '../../contracts/vocabulary/evidenceFindings';
import { sha256Of } from '../files/sha256';
import { lineEndsExplain } from '../files/lineEnds';
import { readWorkspaceFile } from '../files/workspaceFile';

/** Files read at once: more would not be faster, and each may be large. */
const readers = 8;

/** Compares each changed file's last recorded digest with the file now; names at most a hundred that differ. */
export async function checkOutputs(
  workspaceRoot: string,
  documents: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const expected = [...expectedDigests(documents)];
  const found: (EvidenceFinding | null)[] = [];
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let index = next++; index < expected.length; index = next++) {
      const [path, digest] = expected[index] ?? ['', null];
      found[index] = await checkOutput(workspaceRoot, path, digest);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return firstNamed(
    found.filter((finding) => finding !== null),
    'the evidence of the tasks',
    (words) => evidenceFinding('OUTPUT_CHANGED_SINCE', '', `Files are not as the mission left them: ${words}.`),
  );
}

function expectedDigests({ header, tasks }: EvidenceFacts): ReadonlyMap<string, string | null> {
  const expected = new Map<string, string | null>();
  for (const { evidence } of tasks.values())
    for (const { path, sha256 } of evidence?.carried_from?.outputs ?? []) expected.set(path, sha256);
  for (const row of header.tasks ?? []) {
    for (const attempt of tasks.get(row.task_id)?.evidence?.attempts ?? []) {
      for (const change of attempt.changes) {
        if (change.kind !== 'git' && change.kind !== 'index_flag') expected.set(change.path, change.after_sha256);
      }
    }
  }
  return expected;
}

async function checkOutput(
  workspaceRoot: string,
  path: string,
  digest: string | null,
): Promise<EvidenceFinding | null> {
  const file = await readWorkspaceFile(workspaceRoot, path);
  const now = file.kind === 'file' ? sha256Of(file.bytes) : null;
  if (digest === null ? now === null : now !== null && sameDigest(now, digest)) return null;
  const state = now === null ? 'it is gone or no regular file' : `it now has the hash ${now}`;
  const converted = file.kind === 'file' && digest !== null && lineEndsExplain(file.bytes, digest);
  return withHint(
    evidenceFinding(
      'OUTPUT_CHANGED_SINCE',
      path,
      `The file is not as the mission left it (${digest ?? 'absent'}): ${state}.`,
    ),
    converted ? 'Only line ends or the byte-order mark differ: git or an editor converted them.' : null,
  );
}
