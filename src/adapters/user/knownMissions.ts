import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errorWords } from '../../base/outcome';
import { writeFileAtomic } from '../files/atomic';
import { keepNewest } from '../files/removeTree';
import { readOnce } from '../files/opened';
import { openUserKey, type UserKey } from './key';

/**
 * Missions that a person started or resumed on this machine. Only these continue after a restart without a question; a
 * mission that came with a repository or a copied folder is unknown. Each has its own small sealed file beside the
 * user's key, because windows and programs then never overwrite each other.
 */
export class KnownMissions {
  /** Known as of the last `look`. */
  readonly #known = new Set<string>();

  constructor(
    private readonly onProblem: (problem: string) => void,
    private readonly keyFolder?: string,
  ) {}

  has(workspaceDir: string, missionId: string): boolean {
    return this.#known.has(recordName(workspaceDir, missionId));
  }

  /** Reads which of these missions any window has remembered; never rejects. */
  async look(workspaceDir: string, missionIds: readonly string[]): Promise<void> {
    const unknown = missionIds.filter((id) => !this.has(workspaceDir, id));
    if (unknown.length === 0) return;
    const key = await this.#key();
    for (const id of key ? unknown : []) {
      const name = recordName(workspaceDir, id);
      const read = await readOnce(path.join(folderOf(key as UserKey), name), 100).catch(() => null);
      if (read?.kind === 'file' && read.bytes.toString('utf8') === sealOf(key as UserKey, workspaceDir, id))
        this.#known.add(name);
    }
  }

  /** Remembers the mission on disk; if that fails, until this window ends. */
  async remember(workspaceDir: string, missionId: string): Promise<void> {
    const name = recordName(workspaceDir, missionId);
    this.#known.add(name);
    const key = await this.#key();
    if (!key) return;
    try {
      const folder = folderOf(key);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomic(path.join(folder, name), sealOf(key, workspaceDir, missionId));
      await keepNewest(folder, kept);
    } catch (error) {
      this.onProblem(`That mission ${missionId} was started here cannot be recorded: ${errorWords(error)}`);
    }
  }

  async #key(): Promise<UserKey | null> {
    const key = await openUserKey(this.keyFolder);
    if (key.ok) return key.value;
    this.onProblem(`${key.refusal.reason} ${key.refusal.next.join(' ')}`);
    return null;
  }
}

const kept = 500;

function folderOf(key: UserKey): string {
  return path.join(key.folder, 'missions');
}

function recordName(workspaceDir: string, missionId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([workspaceDir, missionId]))
    .digest('hex');
}

function sealOf(key: UserKey, workspaceDir: string, missionId: string): string {
  return key.seal('mission', '1', workspaceDir, missionId);
}
