import type { ExitRecord, ProcessRecord } from '../../contracts/launch';
import type { LeftProcess } from '../../core/view/mission/orphanedProcess';
import type { LiveFacts } from '../../core/view/mission/missionView';
import type { ProcessTable } from '../processes/facts';
import { identityState, isOfBoot, isThere, processTable } from '../processes/tree';
import { readLiveFacts, launchStanding, readEnd, type KnownLaunch } from './files';

/** Questions to a machine about launches that no owner watches. */
export interface Machine {
  readonly table: Pick<ProcessTable, 'bootId' | 'read' | 'carriers'>;
  isThere(pid: number): boolean;
  /** Milliseconds. */
  now(): number;
  /** False: each look at the table starts a program, and orphans are not found. */
  readonly hasProc: boolean;
}

export const thisMachine: Machine = {
  table: processTable,
  isThere,
  now: () => performance.now(),
  hasProc: process.platform === 'linux',
};

/**
 * Milliseconds. The reader keeps some answers for this time, because snapshots come each second.
 * They are those that cost a program or a read of every process.
 */
const renewMs = 15_000;

export class LeftLaunches {
  /** The last answer, by launch id. */
  readonly #known = new Map<string, { readonly left: LeftProcess; readonly at: number }>();

  constructor(private readonly machine: Machine) {}

  /** Returns what the supervisor reported last, and how the process is now. */
  async read(runDir: string, launch: KnownLaunch): Promise<LiveFacts> {
    const [reported, left] = await Promise.all([readLiveFacts(runDir), this.#process(runDir, launch)]);
    return { ...(reported ?? silent), left };
  }

  async #process(runDir: string, launch: KnownLaunch): Promise<LeftProcess> {
    const known = this.#known.get(launch.launch_id);
    if (known && isFinal(known.left)) return known.left;
    const left = (known && (await this.#still(known, runDir, launch))) ?? (await this.#lookedUp(runDir, launch));
    if (left === known?.left) return left;
    if (isFinal(left) || this.#isDear(left)) this.#known.set(launch.launch_id, { left, at: this.machine.now() });
    else this.#known.delete(launch.launch_id);
    return left;
  }

  /** Returns a recent answer, unless an exit record knows more; null: look again. */
  async #still(
    { left, at }: { readonly left: LeftProcess; readonly at: number },
    runDir: string,
    launch: KnownLaunch,
  ): Promise<LeftProcess | null> {
    if (this.machine.now() - at >= renewMs) return null;
    const end = await readEnd(runDir, launch).catch(() => null);
    if (end !== null) return ofExit(end.exit);
    return left.state !== 'runs' || this.machine.isThere(left.pid) ? left : null;
  }

  #isDear(left: LeftProcess): boolean {
    return this.machine.hasProc ? left.state === 'ended' : left.state !== 'unstarted';
  }

  async #lookedUp(runDir: string, launch: KnownLaunch): Promise<LeftProcess> {
    try {
      const standing = await launchStanding(runDir, launch, this.#stateOf);
      switch (standing.kind) {
        case 'waiting':
        case 'revoked':
          return { state: 'unstarted' };
        case 'void':
          return standing.taken ? unknown : { state: 'unstarted' };
        case 'taken':
          return unknown;
        case 'running':
          // Its supervisor may still be ending what the worker started.
          return (await this.#running(standing.process)) ?? unknown;
        case 'lost':
          return standing.process === null ? unknown : await this.#lost(standing.process, standing.unseen, launch);
        case 'ended':
          return ofExit(standing.exit);
      }
    } catch {
      return unknown;
    }
  }

  readonly #stateOf = (identity: ProcessRecord['supervisor']): ReturnType<typeof identityState> =>
    identityState(identity, this.machine.table);

  /** Null: the worker is not alive, as far as is known. */
  async #running({ worker }: ProcessRecord): Promise<LeftProcess | null> {
    return worker !== null && (await this.#stateOf(worker)) === 'alive' ? { state: 'runs', pid: worker.pid } : null;
  }

  /** The state without a supervisor. A process of another boot may run on another machine that has this folder too. */
  async #lost(process: ProcessRecord, unseen: boolean, { nonce }: KnownLaunch): Promise<LeftProcess> {
    const { worker, supervisor } = process;
    if (!isOfBoot(worker ?? supervisor, await this.machine.table.bootId()))
      return { state: 'unknown', elsewhere: true };
    // A record without a worker was written before the worker started.
    if (unseen || worker === null) return unknown;
    switch (await this.#stateOf(worker)) {
      case 'alive':
        return { state: 'runs', pid: worker.pid };
      case 'unknown':
        return unknown;
      case 'dead':
        if (!this.machine.hasProc) return { ...endUnknown, rest: 'unknown' };
        return (await this.machine.table.carriers(nonce)).length > 0 ? { ...endUnknown, rest: 'runs' } : endUnknown;
    }
  }
}

function isFinal(left: LeftProcess): boolean {
  return left.state === 'ended' && left.rest !== 'runs';
}

function ofExit({ exit_code, signal, tree_gone }: ExitRecord): LeftProcess {
  return tree_gone ? { state: 'ended', exit_code, signal } : unknown;
}

const silent = { last_progress_at: null, last_output_at: null, output_bytes: 0, output_lines: null } as const;
const unknown = { state: 'unknown' } as const;
const endUnknown = { state: 'ended', exit_code: null, signal: null } as const;
