import type { Memento } from 'vscode';

/**
 * What a person of this machine did in VS Code: missions started or resumed, plans approved. Only these
 * missions go on unasked after a restart, and only these approvals need no second look. What arrived with a
 * repository is unknown, and so is a copy of a folder.
 */
export class KnownMissions {
  constructor(private readonly memory: Pick<Memento, 'get' | 'update'>) {}

  has(workspaceDir: string, missionId: string): boolean {
    return this.#has(missionsKey, workspaceDir, missionId);
  }

  remember(workspaceDir: string, missionId: string): Promise<void> {
    return this.#add(missionsKey, workspaceDir, missionId);
  }

  hasApproval(workspaceDir: string, planSha256: string): boolean {
    return this.#has(approvalsKey, workspaceDir, planSha256);
  }

  rememberApproval(workspaceDir: string, planSha256: string): Promise<void> {
    return this.#add(approvalsKey, workspaceDir, planSha256);
  }

  #has(key: string, folder: string, id: string): boolean {
    return this.#all(key).some((known) => known.folder === folder && known.id === id);
  }

  async #add(key: string, folder: string, id: string): Promise<void> {
    if (this.#has(key, folder, id)) return;
    await this.memory.update(key, [...this.#all(key), { folder, id }].slice(-kept));
  }

  #all(key: string): readonly Known[] {
    const stored = this.memory.get<unknown>(key);
    return Array.isArray(stored) ? stored.filter(isKnown) : [];
  }
}

interface Known {
  readonly folder: string;
  readonly id: string;
}

const missionsKey = 'knownMissions';
const approvalsKey = 'knownApprovals';
const kept = 500;

function isKnown(value: unknown): value is Known {
  const known = value as Partial<Known> | null;
  return typeof known?.folder === 'string' && typeof known.id === 'string';
}
