import { createHash } from 'node:crypto';
import { mkdir, open, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import type {
  BaselineFacts,
  DifferenceFacts,
  DifferenceRequest,
  ManifestRequest,
  Outcome,
  Workspace,
} from '../engine/ports';
import type { PathStanding, StandingQuery } from '../core/observation/standing';
import { headCommit } from './gitFacts';
import type { IndexFacts } from './gitIndex';
import { KeptIndex } from './gitIndexKept';
import { locateRepository, type Repository } from './gitLocate';
import { findDifference } from './manifestDifference';
import { freshNanoseconds } from './manifestEntry';
import { entryOf, manifestFile, ManifestWriter, readManifest, type StoredManifest } from './manifestFile';
import { ownFolder } from './manifestFolders';
import { manifestsOfMission } from './manifestPlace';
import { scan, scanFlags, scanGit, type ScanReport, type ScanRequest } from './manifestScan';
import { relativeInside } from './manifestWalk';
import { notObserved } from './notObserved';
import { linksOnTheWay } from './workspaceLinks';
import { readStanding } from './workspaceStanding';

export interface WorkspaceOptions {
  /** Absolute folder for baselines, from `manifestsOf`; created where it is missing. */
  readonly manifests: string;
  /** Larger files are compared by size and times. */
  readonly large_file_bytes?: number;
}

/** The workspace folder as files: what is in it before an attempt and what is different after. */
export function createWorkspace(folder: string, options: WorkspaceOptions): Workspace {
  return new FolderWorkspace(folder, options.manifests, options.large_file_bytes ?? 256 * 1024 * 1024);
}

class FolderWorkspace implements Workspace {
  private readonly index = new KeptIndex();
  /** The last baseline written by this object: digests of files that have not been touched since are taken from it. */
  private last: { readonly file: string; readonly sha256: string } | null = null;

  constructor(
    private readonly folder: string,
    private readonly manifests: string,
    private readonly largeFileBytes: number,
  ) {}

  async baseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>> {
    let writer: ManifestWriter | null = null;
    try {
      const folder = manifestsOfMission(this.manifests, request.mission_id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const started_ns = (BigInt(Date.now()) * 1_000_000n).toString();
      const [earlier, { root, repository, index }] = await Promise.all([this.readLast(), this.look()]);
      const head = repository === null ? null : await headCommit(repository);
      const header = {
        schema_version: '1.0.0',
        started_ns,
        git: repository !== null,
        head,
        index: index?.ok === true,
      } as const;
      const scanRequest = this.scanRequest(request, { root, repository, index }, header.index, earlier, null);
      const manifest = await ManifestWriter.create(folder, header);
      writer = manifest;
      const files = await writeAll(scanRequest, manifest);
      const { file, sha256: manifest_sha256 } = await manifest.finish();
      this.last = { file, sha256: manifest_sha256 };
      return { ok: true, value: { manifest_sha256, files, head, git: header.git } };
    } catch (error) {
      await writer?.abandon().catch(() => undefined);
      return refuse(
        'STATE_STORE_UNWRITABLE',
        `The baseline could not be written: ${messageOf(error)}.`,
        'Check the workspace and the folder that keeps baselines, then run again.',
      );
    }
  }

  async difference(request: DifferenceRequest): Promise<Outcome<DifferenceFacts>> {
    // Both take git or the disk some milliseconds, between two workers.
    const looking = this.look();
    looking.catch(() => undefined); // awaited, and told, below
    let baseline: StoredManifest;
    try {
      const folder = manifestsOfMission(this.manifests, request.mission_id);
      baseline = await readManifest(manifestFile(folder, request.baseline_sha256));
    } catch (error) {
      return refuse(
        'STATE_STORE_CORRUPT',
        `The baseline of this attempt cannot be read: ${messageOf(error)}.`,
        'Retry the task: a new attempt has its own baseline.',
      );
    }
    if (request.baseline_sha256.toUpperCase() !== baseline.sha256) {
      return refuse(
        'STATE_STORE_CORRUPT',
        'The baseline of this attempt is not the one that was recorded.',
        'Look for what changed it, then retry the task.',
      );
    }
    try {
      const place = await looking;
      const scanRequest = this.scanRequest(request, place, baseline.header.index, baseline, baseline.followed);
      const { changes, report, fetched } = await findDifference(scanRequest, baseline);
      const head = place.repository === null ? null : await headCommit(place.repository);
      const not_observed = notObserved({ report, fetched, index: place.index, large_file_bytes: this.largeFileBytes });
      const observed = {
        schema_version: '1.0.0',
        baseline_sha256: baseline.sha256,
        head_before: baseline.header.head,
        head,
        changes,
        not_observed,
      };
      const text = `${JSON.stringify(observed, null, 2)}\n`;
      if (request.only_look !== true) {
        await mkdir(request.run_dir, { recursive: true, mode: 0o700 });
        await writeWhole(path.join(request.run_dir, 'observed.json'), text);
      }
      const observed_sha256 = createHash('sha256').update(text).digest('hex').toUpperCase();
      return { ok: true, value: { changes, observed_sha256, head, not_observed } };
    } catch (error) {
      return refuse(
        'STATE_STORE_UNWRITABLE',
        `The difference could not be written: ${messageOf(error)}.`,
        'Check the workspace and the run directory, then run again.',
      );
    }
  }

  async standing(paths: readonly StandingQuery[]): Promise<Outcome<readonly PathStanding[]>> {
    try {
      const place = { ...(await this.look()), large_file_bytes: this.largeFileBytes };
      return { ok: true, value: await readStanding(place, paths) };
    } catch (error) {
      return refuse(
        'STATE_STORE_CORRUPT',
        `What is at listed paths now could not be read: ${messageOf(error)}.`,
        'Check the workspace, then retry the task.',
      );
    }
  }

  async links(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>> {
    return linksOnTheWay(await this.root(), paths);
  }

  async head(): Promise<string | null> {
    const repository = await locateRepository(await this.root());
    return repository === null ? null : headCommit(repository);
  }

  private async root(): Promise<string> {
    return realpath(this.folder);
  }

  private async look(): Promise<{ root: string; repository: Repository | null; index: IndexFacts | null }> {
    const root = await this.root();
    const repository = await locateRepository(root);
    return { root, repository, index: repository === null ? null : await this.index.read(repository, root) };
  }

  private scanRequest(
    request: ManifestRequest,
    place: { root: string; repository: Repository | null; index: IndexFacts | null },
    leaveOutBuilds: boolean,
    earlier: StoredManifest | null,
    follow: ReadonlyMap<string, string> | null,
  ): ScanRequest {
    // Baselines of other workspaces come and go beside ours.
    const kept = relativeInside(place.root, path.dirname(this.manifests));
    return {
      ...place,
      leaveOutBuilds,
      always: [...new Set([...request.forbidden_paths, ...(request.paths ?? [])])],
      excluded: kept === null ? [ownFolder] : [ownFolder, kept],
      known: (key) => {
        const line = earlier?.entries.get(key);
        return line === undefined ? null : entryOf(line);
      },
      fresh_since_ns: earlier === null ? 0n : BigInt(earlier.header.started_ns) - freshNanoseconds,
      large_file_bytes: this.largeFileBytes,
      follow,
    };
  }

  private async readLast(): Promise<StoredManifest | null> {
    if (this.last === null) return null;
    const { file, sha256 } = this.last;
    // A manifest that was cleaned away or changed is only a lost shortcut: everything is read again.
    const manifest = await readManifest(file).catch(() => null);
    return manifest?.sha256 === sha256 ? manifest : null;
  }
}

async function writeAll(request: ScanRequest, manifest: ManifestWriter): Promise<number> {
  let files = 0;
  const report: ScanReport = await scan(request, async (entry) => {
    files += 1;
    await manifest.add({ kind: 'entry', ...entry });
  });
  for (const fact of await scanGit(request, report)) await manifest.add({ kind: 'git', ...fact });
  for (const [file, flag] of scanFlags(request, report)) await manifest.add({ kind: 'flag', path: file, flag });
  for (const [link, target] of report.followed) await manifest.add({ kind: 'followed', path: link, target });
  for (const found of report.unreadable) await manifest.add({ kind: 'unreadable', path: found.path });
  return files;
}

/** Complete or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.tmp`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.tmp`, file);
}

function refuse(code: 'STATE_STORE_UNWRITABLE' | 'STATE_STORE_CORRUPT', reason: string, next: string) {
  return { ok: false, refusal: { code, reason, next: [next] } } as const;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
