import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A folder for one test: `workspaceDir` with the given files, `serverDataDir` for the server. */
export interface Scratch {
  workspaceDir: string;
  serverDataDir: string;
  /** Removes everything; `story` calls it after the servers have stopped. */
  remove(): Promise<void>;
}

const live = new Set<Scratch>();

/** @param files workspace-relative path to content */
export async function makeScratch(files: Record<string, string> = {}): Promise<Scratch> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-vscode-')));
  const workspaceDir = path.join(folder, 'workspace');
  await mkdir(workspaceDir);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspaceDir, name)), { recursive: true });
    await writeFile(path.join(workspaceDir, name), content);
  }
  const scratch = {
    workspaceDir,
    serverDataDir: path.join(folder, 'server'),
    remove: async () => {
      live.delete(scratch);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  live.add(scratch);
  return scratch;
}

/** Removes every folder that is still there. */
export async function removeScratchFolders(): Promise<void> {
  for (const scratch of [...live]) await scratch.remove();
}
