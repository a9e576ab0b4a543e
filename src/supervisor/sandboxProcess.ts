import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../contracts/launch';
import { filterDescriptor, systemCallFilter } from '../adapters/sandbox/bubblewrap/systemCalls';
import { nonceVariable } from '../adapters/processes/facts';
import type { programOf } from '../adapters/processes/namespace';
import { identityOf } from '../adapters/processes/table';

/** Bubblewrap's file descriptors: its status, the signal to start the worker, further arguments, and its filter. */
const descriptors = { status: 3, go: 4, options: 5, filter: filterDescriptor } as const;

/** The pipes of a sandbox. None for a filter that its command line does not read, because the worker would get it. */
export function sandboxPipes(argv: readonly string[]): readonly 'pipe'[] {
  return ['pipe', 'pipe', 'pipe', ...(argv.includes('--seccomp') ? (['pipe'] as const) : [])];
}

/**
 * The sandbox's command line with our pipes. The nonce goes in through a pipe, so that only the
 * worker's own processes carry it. No other user reads it from a command line.
 */
export function sandboxCommand(argv: readonly string[]): readonly string[] {
  const [program = '', ...options] = argv;
  const { status, go, options: more } = descriptors;
  return [program, '--json-status-fd', `${status}`, '--block-fd', `${go}`, '--args', `${more}`, ...options];
}

/**
 * Follows a bubblewrap that was started with `sandboxCommand` and `sandboxPipes`.
 *
 * @param before runs before anything in the namespace, because a limit on its first process holds
 * for all later ones
 */
export function followSandbox(
  child: ChildProcess,
  nonce: string,
  before: (first: ProcessIdentity) => Promise<void>,
  findProgram: typeof programOf,
) {
  const pipe = (descriptor: number): Readable | Writable => child.stdio[descriptor] as Readable | Writable;
  // Ignores errors, because a bubblewrap that ends early closes the pipes.
  for (const one of child.stdio.slice(descriptors.status)) one?.on('error', () => undefined);
  (pipe(descriptors.filter) as Writable | undefined)?.end(systemCallFilter());
  (pipe(descriptors.options) as Writable).end(`--setenv\0${nonceVariable}\0${nonce}\0`);
  const status = followStatus(pipe(descriptors.status) as Readable);
  const started = (async () => {
    const first = await status.firstPid;
    const namespace = first === null ? null : await identityOf(first);
    if (first === null || namespace === null) return null;
    await before(namespace);
    (pipe(descriptors.go) as Writable).end('\n');
    for (;;) {
      const pid = await findProgram(first);
      const worker = pid === null ? null : await identityOf(pid);
      if (worker !== null) return { namespace, worker };
      if (status.hasEnded()) return { namespace, worker: null };
      await sleep(2);
    }
  })();
  return {
    /** Null: the sandbox was not built, and standard error says why. `worker`: null: it ended before it was seen. */
    started,
    /** 128+n for a signal. Null: the worker never ran, or bubblewrap reported no code. Resolves at its end. */
    exitCode: status.exitCode,
  };
}

function followStatus(pipe: Readable) {
  let text = '';
  let ended = false;
  let tellPid: (pid: number | null) => void = () => undefined;
  const firstPid = new Promise<number | null>((resolve) => (tellPid = resolve));
  // Trusts the text, because only bubblewrap has the other end. A number counts once a character follows it, because it
  // may come in pieces.
  const numberOf = (name: string): number | null => {
    const number = new RegExp(`"${name}": *(\\d+)\\D`).exec(text)?.[1];
    return number === undefined ? null : Number(number);
  };
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const pid = numberOf('child-pid');
    if (pid !== null) tellPid(pid);
  });
  const exitCode = new Promise<number | null>((resolve) =>
    pipe.once('close', () => {
      ended = true;
      tellPid(null);
      resolve(numberOf('exit-code'));
    }),
  );
  return { firstPid, exitCode, hasEnded: () => ended };
}
