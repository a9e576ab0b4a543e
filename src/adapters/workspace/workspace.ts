import { sha256Of } from '../files/bytes/sha256';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type {
  BaselineFacts,
  DifferenceFacts,
  DifferenceRequest,
  LandFacts,
  LandRequest,
  ManifestRequest,
  TreeFacts,
  UndoFacts,
  UndoRequest,
  Workspace,
} from '../../engine/ports/workspace';
import type { TreeLayer } from '../../contracts/launch';
import type { PathStanding, StandingQuery } from '../../core/observation/pathState';
import type { Clock } from '../../engine/ports/time';
import { setAside, writeFileAtomic } from '../files/atomic';
import { wayInside } from '../files/inside';
import { CachedIndex, type IndexFacts } from '../git/index';
import { locateRepository, type Repository } from '../git/locate';
import { headCommit } from '../git/refs';
import { WorkspaceContent } from './manifest/content';
import { renewed, type Manifest, type ManifestHeader } from './manifest/manifest';
import { findDifference } from './manifest/difference';
import { layeredChanges, notAsJudged } from './manifest/layered';
import { mergeIntoLayer } from './mergeIntoLayer';
import { isGone, landWork } from '../sandbox/layers/landing';
import { ownFolder } from '../files/leftOutFolders';
import { ManifestLog, readManifest } from './manifest/log';
import { look } from './manifest/scanWorkspace';
import { allManifests, copiesOf, manifestsOf } from './manifest/place';
import { notObserved, madeBefore, OwnOutput } from './notObserved';
import { errorWords, refused, type Outcome } from '../../base/outcome';
import { storedValue } from '../journal/redacted';
import { systemClock } from '../system/clock';
import { contentsBefore } from './contentsBefore';
import { byOurClock, readFileSystemClock } from './clockSkew';
import { BaselineCopies } from './copies';
import { leadsToProgram, linksOnTheWay } from './links';
import { readStanding } from './readPathStates';
import { undoIn } from './undo';

export interface WorkspaceOptions {
  /** This user's state folder, absolute, which holds the baselines. */
  readonly user_state: string;
  /** Larger files are compared by size, times and inode. */
  readonly large_file_bytes?: number;
  /** Exact values that no record of an observation may hold. */
  readonly secrets?: readonly string[];
}

/** Looks at a workspace folder before an attempt, and compares it afterwards. */
export function createWorkspace(folder: string, options: WorkspaceOptions, clock: Clock = systemClock): Workspace {
  const { user_state, large_file_bytes = 256 * 1024 * 1024, secrets = [] } = options;
  return new FolderWorkspace(folder, user_state, large_file_bytes, secrets, clock);
}

interface Place {
  readonly root: string;
  readonly repository: Repository | null;
  readonly head: string | null;
  readonly index: IndexFacts | null;
}

class FolderWorkspace implements Workspace {
  private readonly index = new CachedIndex();
  private readonly content = new WorkspaceContent();
  private readonly copies = new BaselineCopies();
  private readonly printed = new OwnOutput();
  private log: { readonly mission_id: string; readonly log: ManifestLog } | null = null;
  /** The last baselines by digest, because each lane compares with its own. They share unchanged entries. */
  private readonly recent = new Map<string, Manifest>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly userState: string,
    private readonly largeFileBytes: number,
    private readonly secrets: readonly string[],
    private readonly clock: Clock,
  ) {}

  /** Takes one baseline at a time, because each is written as the difference from its predecessor. */
  baseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>> {
    const taken = this.turn.then(() => this.takeBaseline(request));
    this.turn = taken;
    return taken;
  }

  async difference(request: DifferenceRequest): Promise<Outcome<DifferenceFacts>> {
    // Started early, because it needs git or the disk for some milliseconds between two workers.
    const looking = this.place();
    looking.catch(() => undefined); // awaited and reported below
    let baseline: Manifest;
    try {
      baseline = await this.baselineOf(request);
    } catch (error) {
      const reason = `The baseline of this attempt cannot be read: ${errorWords(error)}.`;
      return refused('STATE_STORE_CORRUPT', reason, 'Retry the task: a new attempt has its own baseline.');
    }
    try {
      const place = await looking;
      const { changes: found, ...seen } = await findDifference(this.lookRequest(request, place), baseline);
      const { ahead_ms = 0 } = baseline.header;
      const { head, index, root } = place;
      const own = found.filter((change) => {
        const native = path.join(root, change.path);
        return this.printed.made(change, native) || madeBefore(change, native, baseline);
      });
      const written =
        request.layer === undefined
          ? []
          : await layeredChanges({
              ...{ layer: request.layer, baseline, large_file_bytes: this.largeFileBytes },
              live: request.only_look === true,
            });
      const layered = new Set(written.map((change) => change.path));
      const all = [...found.filter((change) => !layered.has(change.path)), ...written];
      const changes = await Promise.all(
        all
          .filter((change) => !own.includes(change))
          .map(async (change) => ({
            ...change,
            changed_at: byOurClock(change.changed_at, ahead_ms),
            ...((await leadsToProgram(change)) && { to_program: true as const }),
          })),
      );
      const printed = own.map((change) => change.path);
      const not_observed = notObserved({ ...seen, index, printed, large_file_bytes: this.largeFileBytes });
      const observed = {
        schema_version: '1.0.0',
        baseline_sha256: request.baseline_sha256.toUpperCase(),
        head_before: baseline.header.head,
        head,
        ...(ahead_ms !== 0 && { clock_ahead_ms: ahead_ms }),
        changes,
        not_observed,
      };
      // The judge gets the real names. The file, which is never read again, gets those that the journal stores.
      const stored = request.only_look === true ? observed : storedValue(observed, this.secrets);
      const text = `${JSON.stringify(stored, null, 2)}\n`;
      if (request.only_look !== true) {
        await mkdir(request.run_dir, { recursive: true, mode: 0o700 });
        await writeRecord(path.join(request.run_dir, 'observed.json'), text);
      }
      const observed_sha256 = sha256Of(text);
      return { ok: true, value: { changes, observed_sha256, head, not_observed } };
    } catch (error) {
      const reason = `The difference could not be written: ${errorWords(error)}.`;
      return refused('STATE_STORE_UNWRITABLE', reason, 'Check the workspace and the run directory, then run again.');
    }
  }

  async standing(paths: readonly StandingQuery[]): Promise<Outcome<readonly PathStanding[]>> {
    try {
      const place = { ...(await this.place()), large_file_bytes: this.largeFileBytes };
      return { ok: true, value: await readStanding(place, paths) };
    } catch (error) {
      const reason = `What is at listed paths now could not be read: ${errorWords(error)}.`;
      return refused('STATE_STORE_CORRUPT', reason, 'Check the workspace, then retry the task.');
    }
  }

  async links(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>> {
    return linksOnTheWay(await realpath(this.folder), paths);
  }

  async tree(request: ManifestRequest): Promise<Outcome<TreeFacts>> {
    try {
      const place = await this.place();
      const { head, root } = place;
      const before = this.log?.log.latest ?? [...this.recent.values()].at(-1) ?? null;
      const purpose = before === null ? 'first_baseline' : 'baseline';
      const news = await look({ ...this.lookRequest(request, place), before, purpose });
      const header: ManifestHeader = { schema_version: '2.0.0', started_ms: 0, git: false, head, index: false };
      const entries = [...renewed(before, header, news).entries.values()];
      this.printed.note(entries);
      const content = entries.filter((entry) => !this.printed.lies(entry.path, path.join(root, entry.path)));
      const digest = await this.content.digest({ root, paths: request.paths ?? [] }, content, news.report);
      return digest.ok ? { ok: true, value: { tree_sha256: digest.value, head } } : digest;
    } catch (error) {
      const reason = `What the workspace holds could not be read: ${errorWords(error)}.`;
      return refused('STATE_STORE_CORRUPT', reason, 'Check the workspace, then retry the task.');
    }
  }

  async undo(request: UndoRequest): Promise<Outcome<UndoFacts>> {
    try {
      const { mission_id, baseline_sha256 } = request;
      // Without it files and folders may get a narrow mode, and folders that become empty stay.
      const baseline =
        baseline_sha256 === null ? null : await this.baselineOf({ mission_id, baseline_sha256 }).catch(() => null);
      const place = { root: await realpath(this.folder), user_state: this.userState };
      return { ok: true, value: await undoIn(place, request, baseline) };
    } catch (error) {
      const step = 'Check the workspace and the folder that keeps baselines, then undo again.';
      return refused('STATE_STORE_UNWRITABLE', `Nothing could be put back: ${errorWords(error)}.`, step);
    }
  }

  async land({ layer, run_dir, judged }: LandRequest): Promise<Outcome<LandFacts>> {
    if (judged === undefined) return { ok: true, value: { changed: [], ...(isGone(layer) && { gone: true }) } };
    if (judged.merges) return this.merge(layer, judged, judged.merges);
    const found = await landWork(layer, run_dir, async (wanted) => {
      const baseline = await this.baselineOf(judged);
      return notAsJudged({ layer, baseline, changes: judged.changes, large_file_bytes: this.largeFileBytes }, wanted);
    });
    if (found.kind === 'failed') {
      const step = 'Check the workspace, then validate the task again.';
      return refused('STATE_STORE_UNWRITABLE', `It could not be put there (${found.trouble}).`, step);
    }
    const changed = found.kind === 'changed' ? found.names : [];
    return { ok: true, value: { changed, ...(found.kind === 'gone' && { gone: true }) } };
  }

  private async merge(
    layer: TreeLayer,
    judged: NonNullable<LandRequest['judged']>,
    merges: NonNullable<NonNullable<LandRequest['judged']>['merges']>,
  ): Promise<Outcome<LandFacts>> {
    try {
      if (isGone(layer)) return { ok: true, value: { changed: [], gone: true } };
      const baseline = await this.baselineOf(judged);
      const copies = copiesOf(this.userState, layer.at, judged.mission_id);
      const before = async (file: string, sha256: string): Promise<Buffer | null> => {
        const { head } = baseline.header;
        const asked = { path: file, sha256, heads: head === null ? [] : [head], baselines: [], kept: true };
        let bytes: Buffer | null = null;
        await contentsBefore(layer.at, this.userState, judged.mission_id, [asked], (_, found) => (bytes = found));
        return bytes;
      };
      return { ok: true, value: await mergeIntoLayer({ layer, baseline, merges, before, copies }) };
    } catch (error) {
      const step = 'Check the workspace, then validate the task again.';
      return refused(
        'STATE_STORE_UNWRITABLE',
        `What landed meanwhile could not be merged (${errorWords(error)}).`,
        step,
      );
    }
  }

  async head(): Promise<string | null> {
    const repository = await locateRepository(await realpath(this.folder));
    return repository === null ? null : headCommit(repository);
  }

  private async takeBaseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>> {
    try {
      const place = await this.place();
      const folder = manifestsOf(this.userState, place.root, request.mission_id);
      const inside = path.join(place.root, ownFolder);
      const { now_ms: started_ms, ahead_ms } = await readFileSystemClock(place.root, folder, inside, this.clock);
      const { head, repository, index } = place;
      const latest = this.log?.mission_id === request.mission_id ? this.log.log.latest : null;
      const before = latest ?? [...this.recent.values()].at(-1) ?? null;
      const purpose = latest === null ? 'first_baseline' : 'baseline';
      const copied = {
        ...{ root: place.root, repository, head, paths: request.keep ?? [] },
        folder: copiesOf(this.userState, place.root, request.mission_id),
      };
      const begun = this.copies.begin(copied);
      const news = await look({ ...this.lookRequest(request, place), before, purpose });
      const git = repository !== null;
      const found: ManifestHeader = {
        ...{ schema_version: '2.0.0', started_ms, git, head, index: index?.ok === true },
        ...(ahead_ms !== 0 && { ahead_ms }),
      };
      const entries = renewed(before, found, news);
      this.printed.note(entries.entries.values());
      const printed = this.printed.paths();
      const manifest = { ...entries, header: { ...found, ...(printed.length > 0 && { printed }) } };
      const appended = latest === null ? null : await this.log?.log.append(manifest, news);
      // Begins a file: this owner's first in the mission, or the log was changed and proves nothing.
      const manifest_sha256 = appended ?? (await this.begin(folder, request.mission_id, manifest));
      this.remember(manifest_sha256, manifest);
      await this.copies.take(
        { ...copied, entries: manifest.entries.values(), baseline_sha256: manifest_sha256 },
        begun,
      );
      const clock = ahead_ms === 0 ? {} : { clock_ahead_ms: ahead_ms };
      return { ok: true, value: { manifest_sha256, files: manifest.entries.size, head, git, ...clock } };
    } catch (error) {
      this.log = null;
      const step = 'Check the workspace and the folder that keeps baselines, then run again.';
      return refused('STATE_STORE_UNWRITABLE', `The baseline could not be written: ${errorWords(error)}.`, step);
    }
  }

  private async begin(folder: string, mission_id: string, manifest: Manifest): Promise<string> {
    const log = await ManifestLog.create(folder);
    this.log = { mission_id, log };
    const { facts } = manifest;
    const sha256 = await log.append(manifest, { put: [], gone: new Set(), facts });
    if (sha256 === null) throw new Error('a file that was just made is gone');
    return sha256;
  }

  private async baselineOf({
    mission_id,
    baseline_sha256,
  }: Pick<DifferenceRequest, 'mission_id' | 'baseline_sha256'>): Promise<Manifest> {
    const folder = manifestsOf(this.userState, await realpath(this.folder), mission_id);
    const sha256 = baseline_sha256.toUpperCase();
    const known = this.recent.get(sha256);
    if (known !== undefined) return known;
    const read = await readManifest(folder, sha256);
    this.remember(sha256, read);
    return read;
  }

  private remember(sha256: string, manifest: Manifest): void {
    this.recent.delete(sha256);
    this.recent.set(sha256, manifest);
    const [oldest = ''] = this.recent.keys();
    if (this.recent.size > remembered) this.recent.delete(oldest);
  }

  private async place(): Promise<Place> {
    const root = await realpath(this.folder);
    const repository = await locateRepository(root);
    if (repository === null) return { root, repository, head: null, index: null };
    const head = await headCommit(repository);
    return { root, repository, head, index: await this.index.read(repository, root, head) };
  }

  private lookRequest(request: ManifestRequest, { root, repository, index }: Place) {
    // Excludes only baselines: programs are started from the rest of that folder, so a change there must be seen.
    const kept = wayInside(root, allManifests(this.userState));
    return {
      root,
      repository,
      index,
      always: [...new Set([...request.forbidden_paths, ...(request.paths ?? [])])],
      excluded: kept ? [ownFolder, kept] : [ownFolder],
      large_file_bytes: this.largeFileBytes,
    };
  }
}

const remembered = 4;

/** Replaces a link or file that a worker may have put there. */
async function writeRecord(file: string, text: string): Promise<void> {
  const there = await lstat(file).catch(() => null);
  if (there?.isDirectory() === true) await setAside(file);
  await writeFileAtomic(file, text);
}
