import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A folder for one test: `workspaceDir` with the given files, `serverDataDir` for the server. */
export interface Scratch {
  workspaceDir: string;
  serverDataDir: string;
  /** Removes everything; call after server.stop(). */
  remove(): Promise<void>;
}

/** @param files workspace-relative path to content */
export async function makeScratch(files: Record<string, string> = {}): Promise<Scratch> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-vscode-')));
  const workspaceDir = path.join(folder, 'workspace');
  await mkdir(workspaceDir);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspaceDir, name)), { recursive: true });
    await writeFile(path.join(workspaceDir, name), content);
  }
  return {
    workspaceDir,
    serverDataDir: path.join(folder, 'server'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
