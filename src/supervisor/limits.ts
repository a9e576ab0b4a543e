import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import type { ExitRecord, LaunchTicket } from '../contracts/launch';
import { findExecutable } from '../adapters/processes/commandLine';
import { threadsOfProcess, type HeldByGroup } from '../adapters/processes/limitGroup';

type Limits = NonNullable<ExitRecord['limits']>;
export type ExceededLimit = NonNullable<Limits['exceeded']>;

/**
 * Limits the length of every file that this process, and what it starts from now on, writes. False: the machine has no
 * means. Also limits the threads of a sandbox that has a user of its own. Does not limit address space or data, because sanitizers and some runtimes reserve far more than they use.
 */
export async function limitFiles(pid: number, { limits, sandbox }: LaunchTicket): Promise<boolean> {
  if (limits === undefined || process.platform !== 'linux') return false;
  const prlimit = await findExecutable('prlimit', {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
  });
  if (prlimit === null) return false;
  try {
    const threads = countsByItself(sandbox) ? [`--nproc=${limits.processes * threadsOfProcess}`] : [];
    const files = `--fsize=${limits.file_mb * 2 ** 20}`;
    await promisify(execFile)(prlimit, ['--pid', String(pid), files, ...threads], { timeout: 10_000 });
    return true;
  } catch {
    // The process has ended, or a stricter limit holds already.
    return false;
  }
}

/**
 * The kernel counts the threads of each user namespace, since Linux 5.14. Root has none, and no limit of processes.
 * Without a namespace the threads of all the person's programs would count.
 */
function countsByItself(sandbox: LaunchTicket['sandbox']): boolean {
  const [major = 0, minor = 0] = os.release().split('.').map(Number);
  return sandbox?.means === 'bubblewrap' && process.geteuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

/** Returns whether the worker ended because it, or a program that it waited for, wrote a file past its limit. */
export function endedByFileSize({
  code,
  signal,
}: {
  readonly code: number | null;
  readonly signal: string | null;
}): boolean {
  return signal === 'SIGXFSZ' || code === 128 + os.constants.signals.SIGXFSZ;
}

/** @param used null: unknown, because the kernel enforced the limit */
export function excessWords({ limits }: LaunchTicket, exceeded: ExceededLimit, used: number | null): string {
  const allowed = limits?.[exceeded] ?? 0;
  if (used === null && exceeded === 'processes')
    return `Its threads were more than ${allowed * threadsOfProcess}, which is what the ${allowed} processes that execution.limits allows may have (held by a control group).`;
  if (used === null && exceeded === 'memory_mb')
    return `Its memory was more than the ${allowed} MB that execution.limits allows (held by a control group).`;
  switch (exceeded) {
    case 'processes':
      return `Its ${used ?? 0} processes were more than the ${allowed} that execution.limits allows (counted about once a second).`;
    case 'memory_mb':
      return `Its ${used ?? 0} MB of memory were more than the ${allowed} MB that execution.limits allows (measured about once a second).`;
    case 'file_mb':
      return `It wrote a file longer than the ${allowed} MB that execution.limits allows (held by the kernel).`;
  }
}

export function heldLimits(
  fileLimit: boolean,
  byGroup: readonly HeldByGroup[],
  exceeded: ExceededLimit | null,
): Limits {
  const means = (limit: HeldByGroup): 'cgroup' | 'sampled' => (byGroup.includes(limit) ? 'cgroup' : 'sampled');
  return {
    processes: means('processes'),
    memory_mb: means('memory_mb'),
    file_mb: fileLimit ? 'prlimit' : null,
    exceeded,
  };
}
