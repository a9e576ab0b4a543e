import { asLeft, inAnyClone, leftBefore, leftBy, notAsLeft, notAsOutput, type Left } from '../../base/fileState';
import { fewNamed, firstNamed } from '../../base/text/firstNamed';
import { foldChanges, undoneChanges } from '../../base/foldChanges';
import type { EvidenceFacts } from '../../core/verify/facts';
import { executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { evidenceFinding, withHint, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import { foundAt } from '../files/entry';
import { lineEndsExplain } from '../files/bytes/sha256';
import { readWorkspaceFile } from '../files/place';

/** Files read at once; more would not be faster, and each may be large. */
const readers = 8;

/** Compares each changed file's last recorded digest with the file now; names at most a hundred that differ. */
export async function checkOutputs(
  workspaceRoot: string,
  documents: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  // Leaves out evidence, because it has digests of its own and the runner goes on writing it.
  const expected = [...foundByTasks(documents)].filter(([path]) => !path.startsWith(`${executionsDir}/`));
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
    (listed) => evidenceFinding('OUTPUT_CHANGED_SINCE', '', `Files are not as their tasks left them: ${listed}.`),
  );
}

/** The state of a path at the end of one task, and before the task's first change to it. */
interface Found {
  readonly task_id: string;
  readonly left: Left;
  readonly before: Left;
  /** The task left it so. False: others made the change, or put it back. */
  readonly by_task: boolean;
}

/** The tasks in which each path changed, in order. */
function foundByTasks({ header, tasks }: EvidenceFacts): ReadonlyMap<string, readonly Found[]> {
  const found = new Map<string, readonly Found[]>();
  const add = (path: string, one: Found): void => void found.set(path, [...(found.get(path) ?? []), one]);
  for (const [task_id, { evidence }] of tasks)
    for (const { path, ...output } of evidence?.carried_from?.outputs ?? [])
      add(path, { task_id, left: asLeft(output), before: unrecorded, by_task: true });
  for (const { task_id } of header.tasks ?? []) {
    const { attempts = [], outstanding = [], undone = [] } = tasks.get(task_id)?.evidence ?? {};
    const listed = [...outstanding, ...undoneChanges(attempts, undone)];
    for (const [path, { changes, gone }] of foldChanges(attempts, listed)) {
      const [first, last] = [changes[0], changes.at(-1)];
      const own = last !== undefined && (last.attribution === 'worker' || last.attribution === 'verify');
      const left = gone ? leftBefore(gone) : last ? leftBy(last) : unrecorded;
      const by_task = own && (!gone || notAsLeft(leftBy(last), left) === null);
      // A path that this task found as an earlier task left it still counts as that task's.
      const earlier = found.get(path)?.at(-1);
      if (!first && earlier && notAsLeft(earlier.left, left) === null) continue;
      add(path, { task_id, left, before: first ? leftBefore(first) : left, by_task });
    }
  }
  return found;
}

const unrecorded: Left = { kind: 'unknown', why: 'what it held was not recorded' };

async function checkOutput(
  workspaceRoot: string,
  path: string,
  found: readonly Found[],
): Promise<EvidenceFinding | null> {
  const last = found.at(-1);
  // Counts a state that was not recorded as unchanged, because it cannot be compared.
  if (!last || last.left.kind === 'unknown') return null;
  const { task_id, by_task } = last;
  const left = inAnyClone(last.left);
  const now = inAnyClone(await foundAt(workspaceRoot, path));
  const how = notAsOutput(left, now);
  if (how === null) return null;
  const from = found.findLastIndex(({ before }) => notAsLeft(before, now) === null);
  if (from !== -1) return evidenceFinding('OUTPUT_CHANGED_SINCE', path, asBefore(found.slice(from)));
  const digest = left.kind === 'file' ? left.sha256 : null;
  const file = digest !== null && now.kind === 'file' ? await readWorkspaceFile(workspaceRoot, path) : null;
  const converted = digest !== null && file?.kind === 'file' && lineEndsExplain(file.bytes, digest);
  const asLast = by_task ? `as task ${task_id} left it` : `as it was found at the end of task ${task_id}`;
  return withHint(
    evidenceFinding('OUTPUT_CHANGED_SINCE', path, `Not ${asLast}: it ${how}.`),
    converted ? 'Only line ends or the byte-order mark differ: git or an editor may have converted them.' : null,
  );
}

/** Names the tasks whose changes are undone. "Found during" leaves open who made the change. */
function asBefore(undone: readonly Found[]): string {
  const tasks = fewNamed(undone.map(({ task_id }) => task_id));
  return undone.length > 1
    ? `It is as it was before changes found during tasks ${tasks}.`
    : `It is as it was before a change found during task ${tasks}.`;
}
