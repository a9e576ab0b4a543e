import { spawn } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import { startFault } from '../../adapters/processes/startFault';
import { errorWords } from '../../base/outcome';
import { terminal } from '../../base/text/marked/terminal';
import { complain } from '../screen';
import { listen } from './relaySocket';

/** Exit code: the relay found no way out, or could not listen, so the worker was not started. */
export const noWayOut = 125;
const noProgram = 127;

/**
 * Runs inside a sandbox without a network, around the worker. Leads connections to a port of the sandbox's own loopback
 * through the socket of the supervisor's proxy. Ends with the worker, with its code. It guards nothing, so a worker
 * that attacks it harms only itself.
 */
export async function relay(socket: string, argv: readonly string[]): Promise<number> {
  const stop = onTerm();
  const port = await openPort(socket).catch((error: unknown) => error);
  if (typeof port !== 'number') {
    complain(terminal`The network of this task has no way out of its sandbox: ${String(port)}`);
    return noWayOut;
  }
  return runInside(argv, environmentOf(port), stop);
}

/** Notes SIGTERM and goes on, because each process of the tree gets one itself. The worker's end ends the relay. */
export function onTerm(): AbortSignal {
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  return stop.signal;
}

/** Runs the worker with its own input and output, and resolves with its code. */
export async function runInside(
  argv: readonly string[],
  { ELECTRON_RUN_AS_NODE: _ours, ...env }: NodeJS.ProcessEnv,
  stop: AbortSignal,
): Promise<number> {
  if (stop.aborted) return 128 + os.constants.signals.SIGTERM;
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.once('error', (error) => {
      void startFault(program, process.cwd(), env).then((fault) => {
        complain(terminal`${program} cannot be started: ${fault ?? errorWords(error)}`);
        resolve(noProgram);
      });
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])));
  });
}

/** Resolves once the supervisor has closed a first connection, because its socket is then gone from the disk. */
export function awaitWay(socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connect(socket)
      .once('error', reject)
      .once('close', () => resolve())
      .resume();
  });
}

async function openPort(socket: string): Promise<number> {
  await awaitWay(socket);
  const server = createServer({ allowHalfOpen: true }, (client) =>
    join(client, connect({ path: socket, allowHalfOpen: true })),
  );
  await listen(server, { port: 0, host: '127.0.0.1' });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}

export function join(client: Socket, proxy: Socket): void {
  for (const [one, other] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroySoon());
    one.pipe(other);
  }
}

/** Sets a proxy in each way in which clients look for one; no variable may exempt a host. */
function environmentOf(port: number): NodeJS.ProcessEnv {
  const proxy = `http://127.0.0.1:${port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const nothing = { NO_PROXY: '', no_proxy: '' };
  return { ...process.env, ...Object.fromEntries(names.map((name) => [name, proxy])), ...nothing };
}
