import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A process of ours that speaks in JSON lines: one of test/adapters/programs/*.program.ts, built. */
export interface ChildProgram {
  readonly pid: number;
  /** The next line of its output as JSON. Rejects when it ends without one. */
  next(): Promise<Record<string, unknown>>;
  send(line: string): void;
  /** Sends the signal to this process and waits until it is gone. @returns lines it wrote that the test has not read yet. */
  end(signal: NodeJS.Signals): Promise<readonly Record<string, unknown>[]>;
  readonly exited: Promise<void>;
}

/** `prefix`: a command and its arguments that start the program (`setpriv ... --`). */
export function startProgram(name: string, args: readonly string[], prefix: readonly string[] = []): ChildProgram {
  const script = path.resolve('dist-test/adapters/programs', `${name}.program.js`);
  const argv = [...prefix, process.execPath, script, ...args];
  const child: ChildProcessWithoutNullStreams = spawn(argv[0] as string, argv.slice(1), { stdio: 'pipe' });
  const lines: Record<string, unknown>[] = [];
  const waiting: { resolve: (line: Record<string, unknown>) => void; reject: (error: Error) => void }[] = [];
  let errors = '';
  let gone = false;
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.stdin.on('error', () => undefined); // it may end before it reads
  const reader = createInterface(child.stdout);
  reader.on('line', (text) => {
    let line: Record<string, unknown>;
    try {
      line = JSON.parse(text) as Record<string, unknown>;
    } catch {
      return; // cut off by a kill in the middle of a line
    }
    const first = waiting.shift();
    if (first === undefined) lines.push(line);
    else first.resolve(line);
  });
  const exited = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(() => {
    gone = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`${name} ended: ${errors}`));
  });
  return {
    pid: child.pid as number,
    exited,
    next: () =>
      new Promise((resolve, reject) => {
        const line = lines.shift();
        if (line !== undefined) resolve(line);
        else if (gone) reject(new Error(`${name} has ended: ${errors}`));
        else waiting.push({ resolve, reject });
      }),
    send: (line) => void child.stdin.write(`${line}\n`),
    async end(signal) {
      child.kill(signal);
      await exited;
      return lines.splice(0);
    },
  };
}
