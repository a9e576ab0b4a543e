import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MissionHost } from '../../src/engine/owner/host';
import { isMissionStream } from '../../src/engine/ports/workspaceEvents';
import { openRealPorts } from '../support/realPorts';
import { pointsOfTheSystem, withPoints } from './points';

/** What the round hands to an owner process, as a JSON file named on its command line. */
export interface OwnerOrder {
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly plan: string;
  /** How many missions of the workspace there are to be: one is received when there are fewer. */
  readonly missions: number;
  readonly journal_in_thread: boolean;
  /** Where the points go that were reached, one a line. */
  readonly points_file: string;
  /** The point at which this process kills itself; a number: the so-many-th of all. */
  readonly die_at: string | number | null;
}

/** The exit code of an owner whose engine halted: what is not done is for the next one. */
export const haltedCode = 5;

const person = { kind: 'human', name: 'Ada' } as const;

/**
 * An owner of missions as the programs compose it: the real ports, the real host. It stays until every mission has
 * ended, or dies by its own hand at one point.
 */
async function main(order: OwnerOrder): Promise<number> {
  let reached = 0;
  const reach = (point: string): void => {
    reached += 1;
    appendFileSync(order.points_file, `${point}\n`);
    if (point === order.die_at || reached === order.die_at) process.kill(process.pid, 'SIGKILL');
  };
  pointsOfTheSystem(reach);
  const opened = await openRealPorts(order.workspace, {
    ...(order.journal_in_thread && {
      journal: { kind: 'thread', script: path.resolve('dist/journalThread.js') },
      workspaceScript: path.resolve('dist/workspaceThread.js'),
    }),
    toolVersion: '0.0.0-kill',
  });
  const ports = withPoints(opened, reach);
  const options = { tool_version: '0.0.0-kill', ticket_seconds: 60, grace_seconds: 1 };
  const acquired = await MissionHost.acquire(ports, options, person);
  if (!acquired.ok) throw new Error(acquired.refusal.reason);
  const host = acquired.value;
  const ended = new Promise<number>((resolve) => {
    const look = (): void => {
      const missions = host.engines.map((engine) => engine.mission);
      if (missions.length > 0 && missions.every((mission) => mission?.execution === 'REPORTED')) resolve(0);
    };
    host.listen({
      onEntries: () => setImmediate(look),
      onHalt: (halt) => {
        process.stderr.write(`halted: ${halt.code} ${halt.reason}\n`);
        resolve(haltedCode);
      },
    });
    void begin(host, opened.journal, order).then(look, (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      resolve(1);
    });
  });
  // An editor stays as well while a mission waits for a person.
  const staying = setInterval(() => undefined, 60_000);
  const code = await ended;
  clearInterval(staying);
  if (code !== 0) await host.release();
  // A command that came in the last moment may have set something going; here none does.
  else while (!(await host.releaseIfSettled())) await host.settled();
  await opened.close();
  return code;
}

/** Takes over what the journal knows and has not ended, and receives the plan where that is wanted. */
async function begin(
  host: MissionHost,
  journal: { streams(): Promise<readonly { readonly stream: string }[]> },
  order: OwnerOrder,
): Promise<void> {
  const streams = (await journal.streams()).map(({ stream }) => stream).filter(isMissionStream);
  for (const stream of streams) {
    const taken = await host.take(stream);
    if (!taken.ok) throw new Error(taken.refusal.reason);
  }
  if (streams.length >= order.missions) return;
  const plan_path = path.join(order.workspace, order.plan);
  const started = await host.start({
    plan_path,
    actor: person,
    default_worker: 'command',
    require_approval_record: false,
  });
  if (started.kind === 'refused') throw new Error(`${started.refusal.code}: ${started.refusal.reason}`);
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('The order is missing.');
main(JSON.parse(readFileSync(file, 'utf8')) as OwnerOrder).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
