import { inside, type Mount } from './facts';
import { everyLaunch, launchWithNetwork } from './seatbeltRules';

export interface SeatbeltProfile {
  readonly text: string;
  /** One argument each; the text names paths by them alone, so no path can break it. */
  readonly parameters: readonly string[];
}

export interface ProfileOptions {
  readonly network: boolean;
  /** The folder of the run that its worker may write, which wins over everything. */
  readonly work: string;
  /** Sealed paths that are not there yet. */
  readonly absent: readonly string[];
}

/**
 * Everything is forbidden that no rule allows. Of two rules for one path the later one counts, so the places come as
 * they are mounted elsewhere: a folder before what lies in it, and `work` last.
 */
export function seatbeltProfile(mounts: readonly Mount[], options: ProfileOptions): SeatbeltProfile {
  const parameters: string[] = [];
  const placed = mounts.filter(({ at, kind }) => at !== '/' && ['read', 'write', 'held', 'layer'].includes(kind));
  const own = placed.filter(({ at }) => inside(at, options.work));
  const parameterFor = (at: string): string => {
    const name = `P${parameters.length}`;
    parameters.push(`-D${name}=${at}`);
    return `(param "${name}")`;
  };
  const rules = ({ at, kind }: Mount): readonly string[] =>
    rulesOf(kind === 'write' || kind === 'layer', parameterFor(at));
  const lines = [
    ...everyLaunch,
    ...(options.network ? launchWithNetwork : []),
    ...placed.filter((mount) => !own.includes(mount)).flatMap(rules),
    ...sealedNames(placed.filter(({ kind }) => kind === 'write').map(({ at }) => at)),
    ...fixedAbove(placed).map((at) => `(deny file-write-unlink (literal ${parameterFor(at)}))`),
    ...options.absent.map((at) => sealedPattern(`^${inEveryCase(at)}`)),
    ...own.flatMap(rules),
    ...ownSockets,
  ];
  return { text: `${lines.join('\n')}\n`, parameters: [...parameters, `-DWORK=${options.work}`] };
}

/**
 * The place itself cannot be renamed or removed, or the rules of what lies in it would not follow. Without a rule for
 * links a file that is read-only could be written under another name.
 */
function rulesOf(writable: boolean, name: string): readonly string[] {
  return [
    `(${writable ? 'allow' : 'deny'} file-write* file-link (subpath ${name}))`,
    `(deny file-write-unlink (literal ${name}))`,
  ];
}

/** Rules follow no folder that is renamed, as a mount does: the folders around what is held stay in their places. */
function fixedAbove(placed: readonly Mount[]): readonly string[] {
  const known = new Set(placed.map(({ at }) => at));
  const fixed = new Set<string>();
  for (const { at } of placed.filter(({ kind }) => kind === 'held')) {
    for (let above = dirname(at); above !== '/' && !known.has(above); above = dirname(above)) fixed.add(above);
  }
  return [...fixed];
}

function dirname(at: string): string {
  return at.slice(0, at.lastIndexOf('/')) || '/';
}

/** Repositories and states of others at every depth, also those that come into being. */
function sealedNames(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    ['.git', '.mission-control'].map((name) => sealedPattern(`^${inEveryCase(folder)}/(.*/)?${inEveryCase(name)}`)),
  );
}

function sealedPattern(pattern: string): string {
  return `(deny file-write* file-link (regex #"${pattern}(/|$)"))`;
}

/**
 * A pattern for every spelling of the case, which a Mac ignores. Only letters, digits, `/`, `-`, `_` and `.` stand for
 * themselves, so nothing in it ends the text; anything else stands for whatever a name may hold.
 */
function inEveryCase(path: string): string {
  return path
    .replace(/[^A-Za-z0-9/_.-]+/g, '*')
    .replace(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    .replaceAll('.', '[.]')
    .replaceAll('*', '[^/]*');
}

/** Sockets that the launch makes for itself. Who listens on those elsewhere is unknown. */
const ownSockets = [
  '(allow system-socket (socket-domain AF_UNIX))',
  '(allow network-bind network-inbound (local unix-socket (subpath (param "WORK"))))',
  '(allow network-outbound (remote unix-socket (subpath (param "WORK"))))',
];
