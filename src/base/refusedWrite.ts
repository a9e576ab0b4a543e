import type { SandboxMeans } from '../contracts/vocabulary/confinement';

/** A write that a sandbox did not let a program make; `path` as the program wrote it, null: it named none. */
export interface RefusedWrite {
  readonly path: string | null;
}

/** Says whether a line of standard error tells of such a write, and of which file where it says so in a usual way. */
export function refusedWrite(line: string, means: SandboxMeans): RefusedWrite | null {
  return words[means].test(line) ? { path: pathIn(line) } : null;
}

/** The same of a whole output: the first write whose file is named, also in the lines before, as Rust's programs do. */
export function firstRefusedWrite(text: string, means: SandboxMeans): RefusedWrite | null {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (words[means].test(line) ? [index] : []));
  if (found.length === 0) return null;
  const named = found.map((index) => pathIn(lines[index] ?? '')).find((path) => path !== null);
  const before = found.flatMap((index) => lines.slice(Math.max(0, index - 3), index).reverse());
  return { path: named ?? before.map(absoluteIn).find((path) => path !== null) ?? null };
}

/** The number of the error, its name, and the system's sentence for it in the languages of the C library. */
const readOnly = [
  ...['\\bEROFS\\b', '\\berrno[ =:]*30\\b', '\\bos error 30\\b', '\\bread-only file ?system\\b'],
  ...['nur lesbar', 'en lecture seule', 'de s[oó]lo lectura', 'in sola lettura', 's[oó] de leitura'],
  ...['somente (?:para )?leitura', 'només lectura', 'alleen-lezen', 'do odczytu', 'pouze pro čtení', 'len na čítanie'],
  ...['skrivskydd', 'skrivebeskytt', 'endast läs', 'kun-læs', 'bare lese', 'csak olvasható', 'kirjoitussuojat'],
  ...['vain lu', 'salt okunur', 'только для чтения', 'лише для читання', '読み込み専用', '읽기 전용', '只读', '唯讀'],
].join('|');

/** Seatbelt's word means other things as well. */
const words: { readonly [M in SandboxMeans]: RegExp } = {
  bubblewrap: new RegExp(readOnly, 'iu'),
  seatbelt: /\bEPERM\b|\boperation not permitted\b|\berrno[ =:]*1\b|\bos error 1\b/i,
};

/** touch: cannot touch 'F': …, [Errno 30] …: 'F', EROFS: …, open 'F'; sh: cannot create F: …; open F: …; bash: F: … */
function pathIn(line: string): string | null {
  const quoted = /['"‘„“«»「]([^'"’“”«»」]+)['"’“”«»」]/.exec(line)?.[1];
  const bare = /\b(?:cannot create|open|mkdir|unlink|rename|create|remove|write) ([^\s:]+):/.exec(line)?.[1];
  return quoted ?? bare ?? absoluteIn(line) ?? /: (?:\S+ \d+: )?([^\s:]+): [^:]+$/.exec(line)?.[1] ?? null;
}

function absoluteIn(line: string): string | null {
  return /(?<![\w.~-])(\/[^\s:'"`()]+)/.exec(line)?.[1] ?? null;
}
