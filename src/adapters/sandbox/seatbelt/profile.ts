import { inside, type Mount } from '../facts/facts';
import { everyLaunch, launchWithNetwork } from './rules';

export interface SeatbeltProfile {
  readonly text: string;
  /** One argument each. The text names paths by these alone, so no path can break it. */
  readonly parameters: readonly string[];
}

export interface ProfileOptions {
  readonly network: boolean;
  /** The folder of the run that its worker may write; it wins over every other rule. */
  readonly work: string;
  /** Sealed paths that are not there yet. */
  readonly absent: readonly string[];
}

/**
 * Everything that no rule allows is forbidden. The later of two rules for one path counts, so places come in the order
 * of mounts: a folder before its content, and `work` last.
 */
export function seatbeltProfile(mounts: readonly Mount[], options: ProfileOptions): SeatbeltProfile {
  const parameters: string[] = [];
  const placed = mounts.filter(({ at, kind }) => at !== '/' && ['read', 'write', 'held', 'private'].includes(kind));
  const own = placed.filter(({ at }) => inside(at, options.work));
  const parameterFor = (at: string): string => {
    const name = `P${parameters.length}`;
    parameters.push(`-D${name}=${at}`);
    return `(param "${name}")`;
  };
  const rules = ({ at, kind }: Mount): readonly string[] =>
    rulesOf(kind === 'write' || kind === 'private', parameterFor(at));
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
 * Forbids renaming or removing the place itself, because the rules of its content would not follow. Forbids links,
 * because a read-only file could be written under another name.
 */
function rulesOf(writable: boolean, name: string): readonly string[] {
  return [
    `(${writable ? 'allow' : 'deny'} file-write* file-link (subpath ${name}))`,
    `(deny file-write-unlink (literal ${name}))`,
  ];
}

/** Fixes the folders around protected places, because rules do not follow a renamed folder, as a mount does. */
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

/** Seals other repositories and states at every depth, including later ones. */
function sealedNames(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    ['.git', '.mission-control'].map((name) => sealedPattern(`^${inEveryCase(folder)}/(.*/)?${inEveryCase(name)}`)),
  );
}

function sealedPattern(pattern: string): string {
  return `(deny file-write* file-link (regex #"${pattern}(/|$)"))`;
}

/**
 * A pattern for every spelling of case, because a Mac ignores case. Only letters, digits, `/`, `-`, `_` and `.` stay as
 * they are, so nothing in the path ends the text. Any other character becomes one that matches all that a name may
 * hold.
 */
function inEveryCase(path: string): string {
  return path
    .replace(/[^A-Za-z0-9/_.-]+/g, '*')
    .replace(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    .replaceAll('.', '[.]')
    .replaceAll('*', '[^/]*');
}

/** Sockets that the launch makes for itself; who listens on such paths elsewhere is unknown. */
const ownSockets = [
  '(allow system-socket (socket-domain AF_UNIX))',
  '(allow network-bind network-inbound (local unix-socket (subpath (param "WORK"))))',
  '(allow network-outbound (remote unix-socket (subpath (param "WORK"))))',
];
