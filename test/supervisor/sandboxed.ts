import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { processTable } from '../../src/adapters/processes/tree';
import type { LaunchTicket } from '../../src/contracts/launch';
import { needsBubblewrap } from '../support/bubblewrap';
import { newRun, type Run } from './harness';

/** Path of bubblewrap; skips where none works. */
export function bubblewrap(context: Context): string {
  return path.join(needsBubblewrap(context), 'bwrap');
}

/** A whole machine to read, the temporary folder to write, and processes of its own. */
export function sandboxArgv(bwrap: string, options: readonly string[] = ['--die-with-parent']): string[] {
  const user = process.getuid?.() === 0 ? [] : ['--unshare-user'];
  const tmp = os.tmpdir();
  const places = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', tmp, tmp];
  return [bwrap, ...user, '--unshare-pid', ...places, ...options, '--'];
}

export function sandboxedRun(
  bwrap: string,
  argv: readonly string[],
  changes: Partial<LaunchTicket> = {},
): Promise<Run> {
  return newRun(argv, { sandbox: { means: 'bubblewrap', argv: sandboxArgv(bwrap) }, ...changes });
}

/** Seconds to sleep that no other process sleeps. */
export const aLongTime = (): string => `${randomInt(10_000, 99_999)}.${randomInt(10_000, 99_999)}`;

/** Living processes with this word among their arguments. Bubblewrap itself has those of its worker as well. */
export async function processesWith(word: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const [pid, { zombie }] of await processTable.list())
    if (!zombie && (await processTable.commandLine(pid)).includes(word)) found.push(pid);
  return found;
}

/** Memory that a process has used at most, in megabytes. */
export function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Opens each standard descriptor by its name, which a socket refuses. */
export const opensByName = [
  'sh',
  '-c',
  'cat /dev/stdin; echo to-error > /dev/stderr; echo to-both | tee /dev/stderr; echo to-output > /dev/stdout',
];

type Unstartable = readonly [argv: readonly string[], changes: Partial<LaunchTicket>, cause: RegExp];

/** Launches that no system starts, with the cause in words. */
export async function unstartable(folder: string): Promise<readonly Unstartable[]> {
  const files = {
    'crlf.sh': '#!/bin/bash\r\necho ok\r\n',
    'lost.sh': '#!/opt/nowhere/python3\n',
    'plain.sh': '#!/bin/sh\n',
    loaded: (await readFile('/bin/true', 'latin1')).replace(/\/ld-(?=[-\w]+\.so)/, '/ldx'),
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(folder, name), text, { encoding: 'latin1', mode: name === 'plain.sh' ? 0o644 : 0o755 });
  return [
    [['no-such-program-anywhere'], {}, /: no folder of PATH holds a program of this name$/],
    [['sleep', '1'], { cwd: '/nowhere/at/all' }, /in \/nowhere\/at\/all: that folder is not there$/],
    [['./crlf.sh'], {}, /: its first line names \/bin\/bash and a carriage return, because .*\(CRLF\)$/],
    [['./lost.sh'], {}, /: its first line names \/opt\/nowhere\/python3, and it is not there$/],
    [['./loaded'], {}, /: it needs \/lib\w*\/ldx[-\w.]+, which is not there$/],
    [['./plain.sh'], {}, /: its file is not marked as executable$/],
    [['./none.sh'], {}, /none\.sh cannot be started in .*: it is not there$/],
    [['./.'], {}, /: it is a folder$/],
    [
      ['/bin/sh', '-c', `: ${'x'.repeat(140_000)}`],
      {},
      /: its arguments and its environment are longer than the system/,
    ],
  ];
}
