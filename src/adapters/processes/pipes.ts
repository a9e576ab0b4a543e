import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

export interface Pipes {
  /** The child's ends, for the `stdio` of `spawn`. */
  readonly stdio: readonly (number | 'pipe')[];
  /** Our ends once the child has its own; null: it was not started. */
  connect(child: ChildProcess | null): Connected | null;
}

export interface Connected {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Opens pipes for a child. On Linux Node connects a child by sockets, which no program can open by name: there
 * `echo > /dev/stderr` fails. Node makes no pipe, but a shell does. A process that opens its descriptor below /proc has
 * the same pipe. A named pipe would wait in `open` for a writer that has ended, and lie on the disk.
 */
export async function openPipes(): Promise<Pipes> {
  const pairs = process.platform === 'linux' ? await pairsOfShell() : null;
  if (pairs === null) return { stdio: ['pipe', 'pipe', 'pipe'], connect: (child) => child && ofNode(child) };
  const [input, output, error] = pairs;
  const theirs = [input.read, output.write, error.write];
  return {
    stdio: theirs,
    connect(child) {
      for (const descriptor of theirs) closeSync(descriptor);
      if (child === null) {
        for (const descriptor of [input.write, output.read, error.read]) closeSync(descriptor);
        return null;
      }
      return {
        stdin: new Socket({ fd: input.write, readable: false, writable: true }),
        stdout: new Socket({ fd: output.read, readable: true, writable: false }),
        stderr: new Socket({ fd: error.read, readable: true, writable: false }),
      };
    },
  };
}

function ofNode({ stdin, stdout, stderr }: ChildProcess): Connected | null {
  return stdin === null || stdout === null || stderr === null ? null : { stdin, stdout, stderr };
}

interface Pair {
  readonly read: number;
  readonly write: number;
}

/** Holds a pipe in each of the descriptors 3 to 5, writes its number, and ends with its input. */
const threePipes =
  'exec 6<&0; : | { exec 3<&0; : | { exec 4<&0; : | { exec 5<&0; read -r pid rest </proc/self/stat; echo "$pid"; read -r end <&6; }; }; }';

/** Null: this machine has no shell, or shows no descriptors of another process. */
async function pairsOfShell(): Promise<readonly [Pair, Pair, Pair] | null> {
  const shell = spawn('/bin/sh', ['-c', threePipes], { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()).on('error', () => resolve()));
  shell.stdin.on('error', () => undefined);
  const said = new Promise<string>((resolve) => shell.stdout.once('data', (text) => resolve(String(text))));
  const pid = Number(await Promise.race([said, ended]));
  const opened: number[] = [];
  const pair = (descriptor: number): Pair => {
    const [read, write] = [constants.O_RDONLY, constants.O_WRONLY].map((flags) => {
      const own = openSync(`/proc/${pid}/fd/${descriptor}`, flags);
      opened.push(own);
      return own;
    }) as [number, number];
    return { read, write };
  };
  try {
    return [pair(3), pair(4), pair(5)];
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return null;
  } finally {
    shell.stdin.end();
    await ended;
  }
}
