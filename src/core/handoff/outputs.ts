import type { MissionHandoff } from '../../contracts/handoff';
import { asLeft, notAsLeft, notAsOutput, sameMode, type Left, type RecordedState } from '../../base/fileState';
import { shellWord } from '../../base/text/steps';
import { quotedName } from '../../base/text/oneLine';
import type { LeftOutput } from '../mission/evidence/outputs';

export interface MissingOutput {
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  /** What must lie there: as the handoff was written, or as the task ended. */
  readonly left: Left;
  readonly now: Left;
}

export interface ComparedOutputs {
  readonly missing: readonly MissingOutput[];
  /** Paths that cannot be compared, because what they held was not recorded. */
  readonly unrecorded: readonly string[];
}

/**
 * Compares the outputs of done tasks with what lies in this workspace: kind, content, mode and target of a link. A path
 * that a running or blocked task changed again may also be as that task left it.
 *
 * @param outputs what the evidence of the done tasks says
 */
export function compareOutputs(
  outputs: readonly Pick<LeftOutput, 'path' | keyof RecordedState>[],
  { changes }: Pick<MissionHandoff, 'changes'>,
  found: ReadonlyMap<string, Left>,
): ComparedOutputs {
  const written = new Map(changes.map((change) => [change.path, change]));
  const missing: MissingOutput[] = [];
  const unrecorded: string[] = [];
  for (const output of outputs) {
    const { path } = output;
    const change = written.get(path);
    const known = [...(change ? [change] : []), output].map(asLeft).filter(({ kind }) => kind !== 'unknown');
    const now = found.get(path) ?? { kind: 'nothing' };
    const [left] = known;
    if (!left) unrecorded.push(path);
    else if (known.every((one) => notAsOutput(one, now) !== null)) missing.push({ path, left, now });
  }
  return { missing, unrecorded };
}

/** `docs/a.sh (an executable file)`: what must lie at a path. */
export function mustBe({ path, left }: MissingOutput): string {
  return `${quotedName(path).toString()} (${kindWords(left)})`;
}

function kindWords(left: Left): string {
  if (left.kind === 'link') return `a link to ${quotedName(left.target).toString()}`;
  if (left.kind !== 'file') return 'nothing';
  if (left.mode === null || left.mode === plain) return 'a file';
  return left.mode === executable ? 'an executable file' : `a file with mode ${quotedName(left.mode).toString()}`;
}

/** The shell command that makes a path what it must be, with `SOURCE` for the run's workspace. Null: look first. */
export function commandFor({ path, left, now }: MissingOutput): string | null {
  const at = shellWord(path.startsWith('-') ? `./${path}` : path);
  if (now.kind === 'unknown' || now.kind === 'behind_link') return null;
  if (left.kind === 'nothing') return removal(now, at);
  if (left.kind === 'link') return [...cleared(path, now, at), `ln -s -- ${shellWord(left.target)} ${at}`].join(' && ');
  if (left.kind !== 'file' || (left.mode !== null && left.mode !== plain && left.mode !== executable)) return null;
  const isFile = now.kind === 'file';
  const isSame = notAsLeft({ ...left, mode: null }, now) === null;
  const copy = isSame ? [] : [...(isFile ? [] : cleared(path, now, at)), `cp ${shellWord(`SOURCE/${path}`)} ${at}`];
  const runs = left.mode === executable ? [`chmod +x ${at}`] : [];
  const runsNot = left.mode === plain && isFile && !sameMode(plain, now.mode) ? [`chmod a-x ${at}`] : [];
  return [...copy, ...runs, ...runsNot].join(' && ');
}

/** Modes, as git writes them. */
const [plain, executable] = ['644', '755'];

function removal({ kind }: Left, at: string): string {
  return `${kind === 'folder' ? 'rmdir' : 'rm'} ${at}`;
}

function cleared(path: string, now: Left, at: string): readonly string[] {
  if (now.kind !== 'nothing') return [removal(now, at)];
  const folder = path.split('/').slice(0, -1).join('/');
  return folder === '' ? [] : [`mkdir -p ${shellWord(folder)}`];
}
