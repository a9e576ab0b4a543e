import type { SandboxMeans } from '../contracts/vocabulary/confinement';
import { says } from './quotedError';

/** A write that a sandbox did not let a program make; `path` whole as the program named it, null: it is not certain. */
export interface RefusedWrite {
  readonly path: string | null;
}

/** Finds the refused write that a line of a program's output reports by itself. */
export function refusedWrite(line: string, means: SandboxMeans): RefusedWrite | null {
  const { refusal, forms } = words[means];
  if (!says(line, refusal)) return null;
  return { path: forms.map((form) => form.exec(line)?.groups?.['path']).find((path) => path !== undefined) ?? null };
}

interface Words {
  readonly refusal: RegExp;
  readonly forms: readonly RegExp[];
}

/** No language translates the name and the number of an error. Of sentences only the English one counts. */
function wordsOf(name: string, number: number, sentence: string): Words {
  const end = `(?: \\(os error ${number}\\))?[\\])}.]*(?: \\{)?$`;
  const form = (pattern: string): RegExp => new RegExp(`${pattern}${end}`, 'i');
  return {
    refusal: new RegExp(
      `\\b${name}: |\\[Errno ${number}\\]|\\(os error ${number}\\)|(?<=^|[:(] ?)${sentence}(?: @ |: |(?: '[^']+')?${end})`,
      'i',
    ),
    forms: [
      // Node: EROFS: read-only file system, open 'F'; of two files the second one was to be made
      form(`(?:^\\s*|[:([]\\s*|\\] |- |\\brofs )${name}: [^,'"]{1,80}, \\w+ (?:'.+' -> )?'(?<path>.+)'`),
      // Python: [Errno 30] Read-only file system: 'F'
      form(`\\[Errno ${number}\\] ${sentence}: (?:'.+' -> )?'(?<path>.+)'`),
      // Node's rmSync: Error: , Unknown error: Read-only file system 'F'
      form(`^\\s*\\[?Error: [^'"]{0,80}: ${sentence} '(?<path>[^']+)'`),
      // touch: cannot touch 'F': Read-only file system; a line with two names does not count
      form(`^(?:[^'"\`‘]|\\w'\\w)*(?<! to )['"\`‘](?<path>[^'"\`‘’]+)['"\`’]: ${sentence}`),
      // sh: 1: cannot create F: …; bash: line 1: F: …
      form(`: \\d+: cannot create (?<path>.+): ${sentence}`),
      form(`: line \\d+: (?<path>[^\\s:'"]+): ${sentence}`),
      // Go: open F: …; tee: F: …
      form(`(?:^[a-z]+ |: (?:[a-z]+ )?)(?<path>[^\\s:'"]*/[^\\s:'"]*): ${sentence}`),
    ],
  };
}

/** Seatbelt's word means other things as well. */
const words: { readonly [M in SandboxMeans]: Words } = {
  bubblewrap: wordsOf('EROFS', 30, 'read-only file ?system'),
  seatbelt: wordsOf('EPERM', 1, 'operation not permitted'),
};
