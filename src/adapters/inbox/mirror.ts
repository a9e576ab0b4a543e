import { constants } from 'node:fs';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { parsedJson } from '../../base/json';
import { mirrorSchema, sealedTextSchema, type FleetPlace } from '../../contracts/fleetMirror';
import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Mirror } from '../../engine/ports/fleet';
import { done, refused, valueOn, type Outcome } from '../../base/outcome';
import { readLine } from '../journal/export';
import { openUserKey } from '../user/key';
import { chainFault, firstPrevHash, hashFault, type StoredEntry } from '../journal/hash';
import type { MissionSource } from '../../engine/ports/journal';
import { writeFileAtomic } from '../files/atomic';
import { readPart } from '../files/opened';
import { readSmallFile } from './files';
import { isOwned } from '../state/lease';
import { isPathId, stateFolderOf, type StateFolder } from '../state/folder';

/** Bytes of the list of missions; a larger one is not read. */
const mostBytes = 16 * 1024 * 1024;

/** The list of missions that a workspace mirrors. A process that watches the workspace notices when it changes. */
function listOf(workspace: string): string {
  return path.join(stateFolderOf(workspace).root, 'fleet.json');
}

function eventsOf(workspace: string, missionId: string): string {
  return path.join(mirrorFolder(workspace), `${missionId}.jsonl`);
}

function mirrorFolder(workspace: string): string {
  return path.join(stateFolderOf(workspace).root, 'fleet');
}

/**
 * The lease and the inbox of the process that watches the fleet for a workspace. Runs of workers are those of the
 * workspace, so that a worker is known there as well.
 */
export function watcherFolder(workspace: string): StateFolder {
  const { missionsDir } = stateFolderOf(workspace);
  return { ...stateFolderOf(mirrorFolder(workspace)), missionsDir };
}

/** Makes the folder, and refuses a link in its place: a repository could bring one. */
export async function makeMirrorFolder(workspace: string): Promise<Outcome<string>> {
  const folder = mirrorFolder(workspace);
  await mkdir(folder, { mode: 0o700 }).catch(valueOn(undefined, 'EEXIST'));
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  return isOurs
    ? done(folder)
    : refused(
        'STATE_STORE_UNWRITABLE',
        `${folder} is no folder of this user.`,
        `Remove ${folder}, then repeat the command.`,
      );
}

/**
 * Missions of a fleet that this workspace mirrors. None without the seal of this user for this folder: a repository or a
 * worker could bring a list. One of the workspace itself is left out, because its own owner decides about it.
 */
export async function mirroredMissions(workspace: string): Promise<readonly FleetPlace[]> {
  const read = await readSmallFile(listOf(workspace), mostBytes);
  if (typeof read === 'string') return [];
  const { data: sealed } = sealedTextSchema.safeParse(parsedJson(read.content));
  if (!sealed || (await sealOf(workspace, sealed.text)) !== sealed.seal) return [];
  const list = mirrorSchema.safeParse(parsedJson(sealed.text));
  if (!list.success) return [];
  const missions = list.data.missions.filter(({ mission_id }) => isPathId(mission_id));
  const own = await Promise.all(
    missions.map(({ mission_id }) => lstat(stateFolderOf(workspace).missionDir(mission_id)).catch(() => null)),
  );
  return missions.filter((_, index) => own[index] === null);
}

/** Null: this user has no key. */
async function sealOf(workspace: string, text: string): Promise<string | null> {
  const key = await openUserKey();
  return key.ok ? key.value.seal('mirror', path.resolve(workspace), text) : null;
}

type Entries = readonly JournalEntry<MissionEvent>[];

/** The missions of a journal, and beside them those that hosts of a fleet run. */
export function withMirror(journal: MissionSource, workspace: string): MissionSource {
  const known = new Map<string, Pick<FleetPlace, 'bytes' | 'run_id'> & { readonly entries: Entries }>();
  let own: ReadonlySet<string> = new Set();
  const entriesOf = async (missionId: string): Promise<Entries | null> => {
    if (own.has(missionId)) return null;
    const place = (await mirroredMissions(workspace)).find(({ mission_id }) => mission_id === missionId);
    if (!place) return null;
    const { run_id, bytes, end_hash } = place;
    const before = known.get(missionId);
    const kept = before?.run_id === run_id && before.bytes <= bytes ? before : { bytes: 0, entries: [] };
    if (kept.bytes === bytes && kept.entries.at(-1)?.hash === end_hash) return kept.entries;
    const text = await textOf(eventsOf(workspace, missionId), kept.bytes, bytes);
    let end = kept.entries.at(-1)?.hash ?? firstPrevHash;
    const added = text.split('\n').flatMap((line): Entries => {
      const stored = line === '' ? null : readLine(line);
      if (stored === null) return [];
      if (stored.prev_hash !== end || hashFault(stored) !== null)
        throw new Error(`${missionId} is not as it was written`);
      end = stored.hash;
      return [JSON.parse(line) as Entries[number]];
    });
    if (end !== end_hash) throw new Error(`${missionId} is not as it was written`);
    const entries = [...kept.entries, ...added];
    known.set(missionId, { run_id, bytes, entries });
    return entries;
  };
  return {
    async streams() {
      const here = await journal.streams();
      own = new Set(here.map(({ stream }) => stream));
      const mirrored = await Promise.all(
        (await mirroredMissions(workspace))
          .filter(({ mission_id }) => !own.has(mission_id))
          .map(async ({ mission_id }) => ({
            mission_id,
            entries: (await entriesOf(mission_id).catch(() => null)) ?? [],
          })),
      );
      return [
        ...here,
        ...mirrored.flatMap(({ mission_id, entries }) => {
          const [first, last] = [entries[0], entries.at(-1)];
          return first && last
            ? [{ stream: mission_id, last_seq: last.seq, first_at: first.at, last_at: last.at, sealed: true }]
            : [];
        }),
      ];
    },
    async read(stream, after = 0, most = Infinity) {
      const entries = await entriesOf(stream);
      return entries ? entries.filter(({ seq }) => seq > after).slice(0, most) : journal.read(stream, after, most);
    },
    async *pages(stream, options = {}) {
      const entries = await entriesOf(stream);
      if (entries) yield entries.filter(({ seq }) => seq > (options.afterSeq ?? 0));
      else yield* journal.pages(stream, options);
    },
    async places() {
      const places = await mirroredMissions(workspace);
      const watched = places.length > 0 && (await isOwned(watcherFolder(workspace).leaseDb));
      const shown = places.filter(({ mission_id }) => !own.has(mission_id));
      return new Map(shown.map((place) => [place.mission_id, { ...place, watched }]));
    },
  };
}

/** Writes what a workspace mirrors. One process does, which holds the lease of `watcherFolder`. */
export class MirrorWriter implements Mirror {
  readonly #places = new Map<string, FleetPlace>();
  /** Missions that a person has gone on with in this workspace. */
  #own: ReadonlySet<string> = new Set();
  /** The last entry of each mission. */
  readonly #ends = new Map<string, StoredEntry>();

  constructor(private readonly workspace: string) {}

  /** Forgets what an earlier process mirrored. */
  async begin(): Promise<void> {
    for (const { mission_id } of await mirroredMissions(this.workspace)) await this.#forget(mission_id);
    await this.#list();
  }

  async add(place: Omit<FleetPlace, 'bytes' | 'end_hash'>, lines: readonly string[]): Promise<Outcome<null>> {
    const { mission_id, job, run_id } = place;
    if (this.#own.has(mission_id)) return done(null);
    // Another host has gone on with it, with a journal of its own.
    for (const earlier of [...this.#places.values()])
      if (earlier.job === job && earlier.run_id !== run_id) await this.#forget(earlier.mission_id);
    let end = this.#ends.get(mission_id) ?? null;
    const added: string[] = [];
    for (const line of lines) {
      const entry = readLine(line);
      if (entry !== null && end !== null && entry.seq <= end.seq) continue;
      if (entry?.stream !== mission_id || (chainFault(entry, end) ?? hashFault(entry)) !== null)
        return refused(
          'STATE_STORE_CORRUPT',
          `The events of ${mission_id} do not follow each other.`,
          'mission fleet watch',
        );
      added.push(line);
      end = entry;
    }
    const text = added.map((line) => `${line}\n`).join('');
    const bytes = this.#places.get(mission_id)?.bytes ?? 0;
    await writeAt(eventsOf(this.workspace, mission_id), bytes, text);
    if (end !== null) this.#ends.set(mission_id, end);
    const end_hash = end?.hash ?? firstPrevHash;
    this.#places.set(mission_id, { ...place, bytes: bytes + Buffer.byteLength(text), end_hash });
    await this.#list();
    return done(null);
  }

  async mark(job: string, state: FleetPlace['state']): Promise<void> {
    for (const place of this.#places.values()) {
      if (place.job !== job || place.state === state) continue;
      this.#places.set(place.mission_id, { ...place, state });
      await this.#list();
    }
  }

  /** Leaves missions to the journal of the workspace, where a person has gone on with them. */
  async leave(own: ReadonlySet<string>): Promise<void> {
    this.#own = own;
    const left = [...this.#places.keys()].filter((id) => own.has(id));
    for (const id of left) await this.#forget(id);
    if (left.length > 0) await this.#list();
  }

  placeOf(missionId: string): FleetPlace | undefined {
    return this.#places.get(missionId);
  }

  async #list(): Promise<void> {
    const text = JSON.stringify({ missions: [...this.#places.values()] });
    const seal = await sealOf(this.workspace, text);
    await writeFileAtomic(listOf(this.workspace), `${JSON.stringify({ text, seal })}\n`);
  }

  #forget(missionId: string): Promise<void> {
    this.#places.delete(missionId);
    this.#ends.delete(missionId);
    return rm(eventsOf(this.workspace, missionId), { force: true });
  }
}

/** Bytes of a file of ours. Rejects where it is shorter, or no file. */
async function textOf(file: string, from: number, to: number): Promise<string> {
  const read = await readPart(file, to - from, from);
  if (read === null) throw new Error(`${file} is gone`);
  if (read.bytes.length < to - from) throw new Error(`${file} is shorter than its list says`);
  return read.bytes.toString('utf8');
}

/** Writes behind the bytes that the list names, so what a crash left there goes. */
async function writeAt(file: string, place: number, text: string): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    await handle.write(text, place);
  } finally {
    await handle.close();
  }
}
