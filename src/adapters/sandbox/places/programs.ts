import type { Dirent, Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findExecutable } from '../../processes/commandLine';
import { inside, type Link, type Environment, Slice } from '../facts/facts';
import { isCovered, mayUncover, type HiddenPlaces, holdsOthers } from './hidden';
import { tracer, type Traced } from './symlinkTrace';
import { longestWrapper, scriptReader } from '../bubblewrap/wrapper';
import { statsOf, statsThrough } from '../../files/regular';

export interface ProgramsAsked {
  readonly environment: Environment;
  /** Words of the launch line: its program, and arguments that may be files. Relative paths begin at `workspace`. */
  readonly programWords: readonly string[];
  /** Programs of Mission Control, which need no files around them. */
  readonly own: readonly string[];
  /** Resolved. Scripts in it are not read, because a worker may have written them. */
  readonly workspace: string;
  readonly places: HiddenPlaces;
}

/**
 * Finds what PATH and the launch line name and what lies in a hidden place. Returns each with the links on the way,
 * their targets, the interpreter of a script, and the installation around it.
 */
export async function findPrograms(asked: ProgramsAsked) {
  const search = new Search(asked);
  await Promise.all(asked.own.filter((file) => file.startsWith('/')).map((file) => search.follow(file, 'alone')));
  await Promise.all(asked.programWords.map((word, index) => search.word(word, index === 0)));
  const folders = (asked.environment['PATH'] ?? '').split(':').filter((one) => one.startsWith('/'));
  await Promise.all([...new Set(folders)].map((folder) => search.folder(folder)));
  const { visible, links, named } = search;
  return { visible: [...visible], links: [...links.values()], named };
}

/** `alone`: it needs no files around it. `needed`: the launch cannot start without it. */
type Role = 'alone' | 'needed' | null;

class Search {
  /** Places that must be made visible, resolved. */
  readonly visible = new Set<string>();
  readonly links = new Map<string, Link>();
  /** Programs without which the launch cannot start. */
  readonly named: string[] = [];
  readonly #followed = new Set<string>();
  readonly #follow = tracer();
  readonly #seen = new Map<string, Stats | null>();
  readonly #slice = new Slice();

  constructor(readonly asked: ProgramsAsked) {}

  /** Looks at a word of the launch line: the first is its program, others count if they are programs or scripts. */
  async word(word: string, first: boolean): Promise<void> {
    const { environment, workspace } = this.asked;
    if (!first && !word.startsWith('/')) return;
    const place = word.includes('/') ? path.posix.resolve(workspace, word) : await findExecutable(word, environment);
    if (place !== null && (first || (await isProgram(place)))) await this.follow(place, 'needed');
  }

  /** Looks at a folder of PATH: all of it, or only its programs if the folder must stay hidden. */
  async folder(written: string): Promise<void> {
    const { places } = this.asked;
    const { path: at, exists } = this.#trace(written);
    if (!exists || this.#followed.has(at)) return;
    this.#followed.add(at);
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const isUncovered = mayUncover(at, places);
    if (isUncovered) this.#uncover(at, 'folder', false);
    const single = !isUncovered && isCovered(at, places);
    const readable = single || !systemFolders.includes(at);
    const candidates = entries.filter((entry) => entry.isSymbolicLink() || (readable && entry.isFile()));
    const looked = readable ? candidates.slice(0, mostPrograms) : candidates;
    const look = async (entry: Dirent): Promise<void> => {
      const file = path.posix.join(at, entry.name);
      const leads = entry.isSymbolicLink() ? readable || this.#leadsToHidden(file) : isExecutable(this.#look(file));
      if (leads) await this.follow(file, null);
    };
    const underWay: Promise<void>[] = [];
    for (const entry of looked) {
      underWay.push(look(entry));
      if (!this.#slice.isOver() && underWay.length < atOnce) continue;
      await Promise.all(underWay.splice(0));
      await this.#slice.next();
    }
    await Promise.all(underWay);
  }

  /** Makes a program visible, and for a script also what it starts. */
  async follow(file: string, role: Role): Promise<void> {
    const { places, workspace } = this.asked;
    const { path: at, exists } = this.#trace(file);
    if (!exists) return;
    if (role === 'needed') this.named.push(at);
    else if (systemFolders.includes(path.posix.dirname(at))) return;
    if (this.#followed.has(at)) return;
    this.#followed.add(at);
    const stats = this.#look(at);
    if (stats?.isFile() !== true) return;
    if (mayUncover(at, places)) this.#uncover(at, 'file', role === 'alone');
    if (role === 'alone' || inside(at, workspace) || (stats.mode & 0o111) === 0 || stats.size > longestWrapper) return;
    const { interpreter, named } = await readScript(at, stats);
    if (interpreter !== null) await this.follow(interpreter, role);
    for (const one of named) if (isExecutable(this.#look(one))) await this.follow(one, null);
  }

  #uncover(at: string, kind: 'file' | 'folder', alone: boolean): void {
    this.visible.add(at);
    const around = alone ? null : installationOf(at, kind, this.asked.places);
    if (around !== null) this.visible.add(around);
  }

  /** A link of a system folder counts only where it passes, or ends in, a hidden place. */
  #leadsToHidden(file: string): boolean {
    const { path: at, exists, links } = this.#follow(file);
    return exists && [at, ...links.map((link) => link.path)].some((place) => isCovered(place, this.asked.places));
  }

  /** Synchronous and once a place, as a tracer. Null: nothing is there. */
  #look(file: string): Stats | null {
    const known = this.#seen.get(file);
    if (known !== undefined) return known;
    const stats = statsThrough(file);
    this.#seen.set(file, stats);
    return stats;
  }

  #trace(file: string): Traced {
    const traced = this.#follow(file);
    for (const link of traced.links) this.links.set(link.path, link);
    return traced;
  }
}

/** A folder of PATH has hundreds of scripts, and each launch looks at all of them. */
const readScript = scriptReader();

/** Scripts in these are not read, because no script of the system starts a program in a hidden place. */
const systemFolders = ['/usr/bin', '/usr/sbin', '/bin', '/sbin'];
/** Programs of one folder; what the launch line names is found anyway. */
const mostPrograms = 1_000;
/** Entries of a folder that are looked at side by side. */
const atOnce = 100;

function isExecutable(stats: Stats | null): boolean {
  return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
}

/** Says whether a file is executable, or a script by its name or text. An argument that is data stays hidden. */
async function isProgram(file: string): Promise<boolean> {
  const stats = statsThrough(file);
  if (stats?.isFile() !== true) return false;
  if ((stats.mode & 0o111) !== 0 || scriptName.test(file)) return true;
  return (await readScript(file, stats)).interpreter !== null;
}

const scriptName = /\.(?:[cm]?[jt]sx?|pyz?|rb|pl|php|lua|(?:ba|z|k)?sh|fish|jar|wasm)$/i;

/**
 * The folder that a program needs around it, both resolved; null: it needs none, or the folder holds more than the
 * installation. `/tmp/a/bin` and `/tmp/a/bin/tool` bring `/tmp/a` if it has a `lib` or the like.
 * `/tmp/a/node_modules/b/c.js` brings `/tmp/a/node_modules`. A file in a package brings the package.
 */
function installationOf(at: string, kind: 'file' | 'folder', places: HiddenPlaces): string | null {
  const folder = kind === 'folder' ? at : path.posix.dirname(at);
  const found = byName(folder) ?? (kind === 'file' ? packageAround(folder, places) : null);
  return found !== null && mayUncover(found, places) && deepEnough(found) && !holdsOthers(found, places) ? found : null;
}

function byName(folder: string): string | null {
  const parts = folder.split('/');
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return parts.slice(0, packages + 1).join('/');
  const programs = parts.findLastIndex((part) => ['bin', 'sbin', '.bin'].includes(part));
  const around = parts.slice(0, programs).join('/');
  return programs > 0 && holdsAny(around, besidePrograms) ? around : null;
}

/** Names beside `bin` that show an installation, and not a folder for all kinds of things. */
const besidePrograms = ['lib', 'lib64', 'libexec', 'share', 'pkg', 'pyvenv.cfg', 'package.json'];
const ofPackages = ['package.json', 'pyproject.toml', 'pyvenv.cfg'];

function holdsAny(folder: string, names: readonly string[]): boolean {
  return names.some((name) => statsOf(path.posix.join(folder, name)) !== null);
}

/** The nearest folder around that declares itself a package. */
function packageAround(folder: string, places: HiddenPlaces): string | null {
  for (let above = folder; mayUncover(above, places); above = path.posix.dirname(above))
    if (holdsAny(above, ofPackages)) return above;
  return null;
}

/** False for folders below /run, because each of them holds everything of a user or a service. */
function deepEnough(at: string): boolean {
  const parts = at.split('/');
  return parts.length > 2 && !(parts[1] === 'run' && parts.length < 5);
}
