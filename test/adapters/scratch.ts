import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const made: string[] = [];

/** A fresh folder, removed by `removeScratch`. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-adapters-'));
  made.push(folder);
  return folder;
}

export async function removeScratch(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
}
