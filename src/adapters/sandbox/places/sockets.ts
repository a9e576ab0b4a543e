import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { statsOf } from '../../files/regular';
import type { Environment, SocketFact } from '../facts/facts';
import { walkFolders } from './walkFolders';

interface SocketsAsked {
  readonly environment: Environment;
  /** The workspace and HOME: a listener with a name that leads nowhere is searched there. */
  readonly folders: readonly string[];
  /** Selects the places that count. */
  readonly concerns: (at: string) => boolean;
  readonly found: readonly string[];
}

/**
 * Finds the sockets that a program may listen on: from the kernel's list, the environment, known folders, and `found`.
 * The kernel lists none of another network namespace. A listed name may be gone, because its program gave the socket
 * another one; then each socket beside it counts.
 */
export async function findSockets(asked: SocketsAsked): Promise<readonly SocketFact[]> {
  const { environment, folders, concerns, found } = asked;
  const listed = await readFile('/proc/net/unix', 'utf8').catch(() => ''); // a kernel without networks
  const known = [
    ...systemFolders,
    ...folders.slice(1).flatMap((home) => homeFolders.map((one) => path.posix.join(home, one))),
  ];
  const { absolute, relative } = listedSockets(listed);
  const started = relative.length === 0 ? [] : await workingFolders();
  // Guesses the listener's folder for a relative path, because the listener is nearly always still there.
  const guessed = started.flatMap((folder) => relative.map((name) => path.posix.join(folder, name)));
  const gone = absolute.filter((at) => !existsSync(at));
  const beside = [...known, ...new Set(gone.map((at) => path.posix.dirname(at)))];
  const isGuessed = (name: string): boolean => guessed.some((at) => at.endsWith(`/${name}`) && existsSync(at));
  const searched = relative.every(isGuessed) ? [] : (await keptIn(folders)).sockets;
  const listedBeside = (await Promise.all(beside.map(listFolder))).flat();
  const named = [...absolute, ...guessed, ...namedPaths(environment), ...listedBeside, ...searched, ...found];
  const byFolder = new Map<string, string[]>();
  for (const at of new Set(named.filter(concerns))) {
    const folder = path.posix.dirname(at);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), at]);
  }
  const facts = await Promise.all([...byFolder].map(([folder, places]) => socketsIn(folder, places, concerns)));
  return [...new Map(facts.flat().map((one) => [one.path, one])).values()];
}

/** Finds what must stay out of reach in visible folders, the nearest first: state folders of ours, and sockets. */
export async function keptIn(folders: readonly string[]) {
  const kept = { states: [] as string[], sockets: [] as string[] };
  await walkFolders(folders, 2_000, (at, entry) => {
    const isState = entry.isDirectory() && entry.name === '.mission-control';
    if (entry.isSocket()) kept.sockets.push(at);
    else if (isState) kept.states.push(at);
    return isState;
  });
  return kept;
}

async function socketsIn(
  written: string,
  places: readonly string[],
  concerns: (at: string) => boolean,
): Promise<readonly SocketFact[]> {
  const folder = await realpath(written).catch(() => null);
  if (folder === null) return [];
  const real = places.map((at) => path.posix.join(folder, path.posix.basename(at))).filter(concerns);
  const sockets = real.filter((at) => statsOf(at)?.isSocket() === true);
  if (sockets.length === 0) return [];
  const alone = await onlySockets(folder);
  return sockets.map((at) => ({ path: at, alone }));
}

/** The paths in the kernel's list (/proc/net/unix). A path may hold any character but NUL, including line ends. */
export function listedSockets(text: string): {
  readonly absolute: readonly string[];
  readonly relative: readonly string[];
} {
  const paths: string[] = [];
  for (const line of text.split('\n')) {
    const found = /^[0-9a-f]+: [0-9A-F]{8} [0-9A-F]{8} [0-9A-F]{8} [0-9A-F]{4} [0-9A-F]{2} +\d+(?: (.*))?$/s.exec(line);
    if (found !== null) paths.push(found[1] ?? '');
    else if (paths.length > 0) paths.push(`${paths.pop() ?? ''}\n${line}`);
  }
  const unique = [...new Set(paths.map((one) => one.replace(/\n$/, '')))].filter((one) => one !== '');
  return {
    absolute: unique.filter((one) => one.startsWith('/')),
    // `@` is the kernel's sign for a socket that has no place in the file system.
    relative: unique.filter((one) => !/^[/@]/.test(one)).slice(0, mostRelative),
  };
}

const mostRelative = 100;

/** The working folder of every process that this user may look at. */
async function workingFolders(): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '/')));
  return [...new Set(folders)];
}

/** Absolute paths in values such as `unix:path=/run/bus,guid=1` and `/tmp/tmux-0/default,77,0`. */
function namedPaths(environment: Environment): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value]) => (name === 'PATH' ? [] : [value ?? '']));
  return values.filter((value) => value.length < 4_096).flatMap((value) => value.match(/\/(?!\/)[^,;:=]*/g) ?? []);
}

/** Also false: the folder cannot be read. */
async function onlySockets(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  return entries?.every((entry) => entry.isSocket() || /\.(?:lock|pid)$/.test(entry.name)) ?? false;
}

async function listFolder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isSocket() ? [path.posix.join(folder, entry.name)] : []));
}

/** Folders of Docker, libvirt, SSSD, snap, and of what a container was given. */
const systemFolders = [
  '/',
  '/mnt',
  '/var/lib/docker',
  '/var/lib/libvirt',
  '/var/lib/sss/pipes',
  '/var/lib/gssproxy',
  '/var/snap/lxd/common/lxd',
  '/var/tmp',
];

/** Folders of HOME that hold more than sockets: HOME, and those of Docker, Rancher Desktop and many others. */
const homeFolders = ['', '.docker', '.rd', '.cache', '.config'];
