import type { LeftProcess } from '../../core/view/left';
import type { LiveFacts } from '../../core/view/missionView';
import type { JournalledLaunch } from '../../engine/ports/launches';
import type { ProcessRecord } from '../../contracts/launch';
import { identityState, isThere } from '../processes/table';
import { readLiveFacts } from './liveFacts';
import { launchStanding } from './standing';

/** What of a launch the journal names. */
export type NamedLaunch = Pick<JournalledLaunch, 'launch_id' | 'nonce' | 'process'>;

/** Reads a launch that no owner watches: what its supervisor reported last, and how its process stands now. */
export async function readLeftFacts(runDir: string, launch: NamedLaunch): Promise<LiveFacts> {
  const [told, left] = await Promise.all([readLiveFacts(runDir), leftProcess(runDir, launch)]);
  return { ...(told ?? silent), left };
}

const silent = { last_progress_at: null, last_output_at: null, output_bytes: 0, output_lines: null } as const;

async function leftProcess(runDir: string, launch: NamedLaunch): Promise<LeftProcess> {
  const pid = seen.get(launch.launch_id);
  if (pid !== undefined && isThere(pid)) return { state: 'runs', pid };
  seen.delete(launch.launch_id);
  const left = await lookedUp(runDir, launch);
  if (left.state === 'runs' && process.platform !== 'linux') seen.set(launch.launch_id, left.pid);
  return left;
}

/**
 * Workers that were seen running, by launch id. Off Linux each look starts a program, and snapshots come each second:
 * there a worker counts as running while its pid is in use.
 */
const seen = new Map<string, number>();

async function lookedUp(runDir: string, launch: NamedLaunch): Promise<LeftProcess> {
  try {
    const standing = await launchStanding(runDir, launch);
    switch (standing.kind) {
      case 'waiting':
      case 'revoked':
      case 'void':
        return { state: 'unstarted' };
      case 'taken':
        return { state: 'unknown' };
      case 'running':
        return await workerState(standing.process, { state: 'unknown' });
      case 'lost':
        if (standing.unseen || standing.process === null) return { state: 'unknown' };
        return await workerState(standing.process, ended);
      case 'ended': {
        const { exit_code, signal, tree_gone } = standing.exit;
        return tree_gone ? { state: 'ended', exit_code, signal } : { state: 'unknown' };
      }
    }
  } catch {
    return { state: 'unknown' };
  }
}

/** @param unnamed what it means that the record names no worker */
async function workerState({ worker }: ProcessRecord, unnamed: LeftProcess): Promise<LeftProcess> {
  if (worker === null) return unnamed;
  switch (await identityState(worker)) {
    case 'alive':
      return { state: 'runs', pid: worker.pid };
    case 'dead':
      return ended;
    case 'unknown':
      return { state: 'unknown' };
  }
}

const ended = { state: 'ended', exit_code: null, signal: null } as const;
