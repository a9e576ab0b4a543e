import { openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { runFiles } from '../contracts/launch';
import { readOrder } from '../adapters/launches/spare';
import { ignoreTerminal, ownRun } from './superviseRun';
import { relayPorts } from './network/portRelay';
import { relay } from './network/providerRelay';
import { warmUp } from './warmUp';
import { viewRun } from './view';
import { terminal } from '../base/text/marked/terminal';
import { complain } from './screen';

const usage = terminal`usage: supervisor.cjs own RUN_DIR     claim the launch ticket of a run and own its worker
       supervisor.cjs own -           the same, once standard input has said which
       supervisor.cjs relay SOCKET -- COMMAND ...   in a sandbox: give a worker the network of its provider
       supervisor.cjs ports PORT=SOCKET,... -- COMMAND ...   in a sandbox: give a worker these ports of the machine
       supervisor.cjs view RUN_DIR [--hold]   show a run; starts and stops nothing`;

/** An owner (CLI, extension host) starts `own`, a terminal starts `view`. */
async function main(argv: readonly string[]): Promise<number> {
  const [mode, runDir, ...rest] = argv;
  if (mode === 'relay' && runDir !== undefined && rest[0] === '--') return relay(runDir, rest.slice(1));
  if (mode === 'ports' && runDir !== undefined && rest[0] === '--') return relayPorts(runDir, rest.slice(1));
  if (runDir === undefined || runDir === '') return misuse();
  if (mode === 'own' && runDir === '-' && rest.length === 0) return ownOrdered();
  if (mode === 'own' && rest.length === 0) return ownRun(runDir);
  if (mode === 'view' && rest.every((option) => option === '--hold')) return viewRun(runDir, { hold: rest.length > 0 });
  return misuse();
}

/** A spare supervisor, started ahead: waits for the order of a run, or for the end of standard input. */
async function ownOrdered(): Promise<number> {
  ignoreTerminal();
  const [order] = await Promise.all([readOrder(process.stdin), warmUp()]);
  if (order === null) return 0;
  Object.assign(process.env, order.environment);
  process.chdir(order.run_dir);
  const log = openSync(path.join(order.run_dir, runFiles.supervisorLog), 'a', 0o600);
  process.stderr.write = (text: string | Uint8Array): boolean => writeSync(log, text as string) > 0;
  return ownRun(order.run_dir);
}

function misuse(): number {
  complain(usage);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    complain(terminal.lines(fault.split('\n')));
    process.exit(1);
  },
);
