import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { workspace } from 'vscode';
import { pointsOfTheJournal, pointsOfTheSystem, pointsOfTheThreads } from './points';
import { hostFiles, type HostOrder } from './hostFiles';

// A second extension in the same extension host, active before any other: the product as it is shipped, in a process
// that dies by its own hand at a point. `hostFiles.ts` says what it reads and writes.

const [folder] = workspace.workspaceFolders ?? [];
if (folder !== undefined) {
  const scratch = path.dirname(folder.uri.fsPath);
  const files = hostFiles(scratch);
  if (existsSync(files.order)) arm(scratch, files);
}

/** VS Code calls it; all has been done when this file was loaded. */
export function activate(): void {
  // There is nothing more to do.
}

function arm(scratch: string, files: ReturnType<typeof hostFiles>): void {
  const { kills, product } = JSON.parse(readFileSync(files.order, 'utf8')) as HostOrder;
  mkdirSync(files.folder, { recursive: true });
  const nth = nextHost(files);
  writeFileSync(files.pid(nth), String(process.pid));
  // VS Code starts extensions again in another order when it starts an extension host again; both come before the lease.
  if (nth === 1 && createRequire(__filename).cache[product] !== undefined) writeFileSync(files.late(nth), '');
  // Their HOME distinguishes the processes of a round from all others of the machine.
  takeKeyAlong(process.env['HOME'] ?? scratch, scratch);
  process.env['HOME'] = scratch;
  const kill = kills[nth - 1] ?? null;
  let reached = 0;
  const reach = (point: string): void => {
    reached += 1;
    appendFileSync(files.points(nth), `${point}\n`);
    if (point === kill || reached === kill) process.kill(process.pid, 'SIGKILL');
  };
  pointsOfTheSystem(reach, (name) => name.startsWith(scratch + path.sep) || /[\\/]supervisor\.js$/.test(name));
  pointsOfTheJournal(reach);
  pointsOfTheThreads(reach);
}

/** One user has one key, whichever of the two extensions VS Code starts first. */
function takeKeyAlong(from: string, to: string): void {
  const key = '.config/mission-control/approval.key';
  const [own, taken] = [path.join(from, key), path.join(to, key)];
  for (const file of [own, taken]) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(own)) writeFileSync(own, randomBytes(32), { mode: 0o600 });
  if (!existsSync(taken)) copyFileSync(own, taken);
}

/** Extension hosts of one round take numbers as they come. */
function nextHost(files: ReturnType<typeof hostFiles>): number {
  for (let nth = 1; ; nth++) {
    if (existsSync(files.points(nth))) continue;
    closeSync(openSync(files.points(nth), 'wx'));
    return nth;
  }
}
