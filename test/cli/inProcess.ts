import { createRequire } from 'node:module';
import path from 'node:path';
import { Writable } from 'node:stream';

/**
 * Commands of `mission` that only read, called in the test's process through the function that the program itself
 * calls, out of the same built file. A start of the program costs a quarter of a second of CPU, and tests ask often.
 * cli/inProcess.test.ts compares each with a real start.
 */
export const readingCommands: readonly string[] = [
  'check',
  'plan validate',
  'status',
  'list',
  'packet list',
  'packet show',
  'evidence verify',
  'journal export',
  'journal verify',
  'audit verify',
];

/** False also where Node itself is given something by the environment: only a process of its own can show that. */
export function onlyReads(args: readonly string[], environment: NodeJS.ProcessEnv): boolean {
  const named = readingCommands.includes(args[0] ?? '') || readingCommands.includes(args.slice(0, 2).join(' '));
  return named && environment['NODE_OPTIONS'] === undefined;
}

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls of one process take turns: adapters read the environment of the process, which is the bed's meanwhile. */
let turn: Promise<unknown> = Promise.resolve();

export function missionHere(
  argv: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<Printed> {
  const called = turn.then(() => call(argv, directory, environment));
  turn = called.catch(() => undefined);
  return called;
}

async function call(argv: readonly string[], directory: string, environment: NodeJS.ProcessEnv): Promise<Printed> {
  const program = path.resolve('dist/mission.js');
  const { mission } = createRequire(program)(program) as typeof import('../../src/cli/main');
  const [stdout, stderr] = [new Collected(), new Collected()];
  const own = { ...process.env };
  become(environment);
  try {
    const streams = { stdin: process.stdin, stdout, stderr };
    const code = await mission({ argv, directory, environment: { ...environment }, streams });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    become(own);
  }
}

/** Not by another object in its place: what Node asks of the system, as the home folder, is read below JavaScript. */
function become(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && process.env[name] !== value) process.env[name] = value;
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.text += chunk.toString();
    written();
  }
}
