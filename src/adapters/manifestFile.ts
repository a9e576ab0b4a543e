import { createHash, randomUUID, type Hash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { GitFact } from './gitFacts';
import type { ManifestEntry } from './manifestEntry';
import { textLines } from './textLines';

/** First line of a manifest. */
export interface ManifestHeader {
  readonly schema_version: '1.0.0';
  /** Nanoseconds since 1970 at which reading began. */
  readonly started_ns: string;
  readonly git: boolean;
  /** Commit of HEAD. */
  readonly head: string | null;
  /** False when git could not read the index: then its flags are not compared and build folders are walked. */
  readonly index: boolean;
}

/** One line per fact: a file, a git fact, a flag of the index, a link out of the workspace that was followed. */
export type ManifestLine =
  | ({ readonly kind: 'entry' } & ManifestEntry)
  | ({ readonly kind: 'git' } & GitFact)
  | { readonly kind: 'flag'; readonly path: string; readonly flag: string }
  | { readonly kind: 'followed'; readonly path: string; readonly target: string }
  | { readonly kind: 'unreadable'; readonly path: string };

/** Streams a manifest to disk: valid JSON with one fact per line, so that 100,000 files never are in memory at once. */
export class ManifestWriter {
  private waiting: string[] = [];
  private first = true;
  private readonly hash: Hash = createHash('sha256');

  private constructor(
    private readonly folder: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(folder: string, header: ManifestHeader): Promise<ManifestWriter> {
    const temporary = path.join(folder, `${randomUUID()}.tmp`);
    const writer = new ManifestWriter(folder, temporary, await open(temporary, 'wx', 0o600));
    writer.waiting.push(`{"header":${JSON.stringify(header)},"lines":[\n`);
    return writer;
  }

  async add(line: ManifestLine): Promise<void> {
    this.waiting.push(`${this.first ? '' : ',\n'}${JSON.stringify(line)}`);
    this.first = false;
    if (this.waiting.length >= linesPerWrite) await this.write();
  }

  /** The file, which is complete and in place now, and its upper-case SHA-256. */
  async finish(): Promise<{ readonly file: string; readonly sha256: string }> {
    this.waiting.push('\n]}\n');
    await this.write();
    await this.handle.sync();
    await this.handle.close();
    const sha256 = this.hash.digest('hex').toUpperCase();
    const file = manifestFile(this.folder, sha256);
    await rename(this.temporary, file);
    return { file, sha256 };
  }

  async abandon(): Promise<void> {
    await this.handle.close();
    await rm(this.temporary, { force: true });
  }

  private async write(): Promise<void> {
    const text = this.waiting.join('');
    this.waiting = [];
    this.hash.update(text);
    await this.handle.appendFile(text);
  }
}

const linesPerWrite = 2_000;

/** @throws RangeError when it is no digest. */
export function manifestFile(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new RangeError(`no digest: ${JSON.stringify(sha256)}`);
  return path.join(folder, `${sha256.toUpperCase()}.json`);
}

/** A manifest read back: lines stay text until somebody asks, which keeps 100,000 of them small. */
export interface StoredManifest {
  readonly header: ManifestHeader;
  /** Upper-case SHA-256 of the bytes. */
  readonly sha256: string;
  /** Text of the line of each entry, by `keyOf`. */
  readonly entries: Map<string, string>;
  readonly git: Map<string, GitFact>;
  readonly flags: Map<string, string>;
  readonly followed: Map<string, string>;
  readonly unreadable: Set<string>;
}

/** Throws what is wrong with the file: missing, unreadable, not a manifest. */
export async function readManifest(file: string): Promise<StoredManifest> {
  const hash = createHash('sha256');
  const manifest = {
    entries: new Map<string, string>(),
    git: new Map<string, GitFact>(),
    flags: new Map<string, string>(),
    followed: new Map<string, string>(),
    unreadable: new Set<string>(),
  };
  let header: ManifestHeader | null = null;
  let complete = false;
  for await (const text of textLines(file, (bytes) => hash.update(bytes))) {
    if (header === null) {
      header = (JSON.parse(`${text}]}`) as { header: ManifestHeader }).header;
      if ((header.schema_version as string) !== '1.0.0') throw new Error('the manifest is of another version');
    } else if (text === ']}') complete = true;
    else if (text !== '') take(manifest, text.endsWith(',') ? text.slice(0, -1) : text);
  }
  if (header === null || !complete) throw new Error('the manifest is not complete');
  return { header, sha256: hash.digest('hex').toUpperCase(), ...manifest };
}

export function keyOf(entry: ManifestEntry): string {
  return entry.outside ?? entry.path;
}

export function entryOf(text: string): ManifestEntry {
  return JSON.parse(text) as ManifestEntry;
}

function take(manifest: Omit<StoredManifest, 'header' | 'sha256'>, text: string): void {
  const line = JSON.parse(text) as ManifestLine;
  switch (line.kind) {
    case 'entry':
      manifest.entries.set(keyOf(line), text);
      return;
    case 'git':
      manifest.git.set(line.path, line);
      return;
    case 'flag':
      manifest.flags.set(line.path, line.flag);
      return;
    case 'followed':
      manifest.followed.set(line.path, line.target);
      return;
    case 'unreadable':
      manifest.unreadable.add(line.path);
      return;
  }
}
