import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { breaths } from '../system/clock';
import { nonceVariable, type ProcessFacts, type ProcessTable } from './facts';

/**
 * Linux through /proc, read at once, because the kernel makes these files on the spot; a long table yields now and
 * then. Unreadable facts of another user's process count as absent.
 */
export const linuxProcesses: ProcessTable = {
  bootId: () => Promise.resolve(bootId()),
  async list() {
    const table = new Map<number, ProcessFacts>();
    await eachProcess((pid) => {
      const facts = readFacts(pid);
      if (facts !== null) table.set(pid, facts);
    });
    return table;
  },
  read: (pid) => Promise.resolve(readFacts(pid)),
  memoryOf: (pids) => Promise.resolve(pids.reduce((total, pid) => total + ownMemory(pid), 0)),
  async carriers(nonce) {
    const found: number[] = [];
    const wanted = nonce === null ? `${nonceVariable}=` : `${nonceVariable}=${nonce}\0`;
    await eachProcess((pid) => {
      if (holdsVariable(readOr(`/proc/${pid}/environ`), wanted)) found.push(pid);
    });
    return found;
  },
  commandLine(pid) {
    const text = readOr(`/proc/${pid}/cmdline`) ?? '';
    return Promise.resolve(text === '' ? [] : text.replace(/\0$/, '').split('\0'));
  },
  signal(pid, signal, group) {
    sendSignal(group ? -pid : pid, signal);
    return Promise.resolve();
  },
};

/** Never throws for a process that has ended or may not be signalled, because callers look at it again afterwards. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** The fields of /proc/<pid>/stat after the name in parentheses, which may hold anything. Exported for its test. */
export function parseStat(pid: number, stat: string): ProcessFacts | null {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .trimEnd()
    .split(' ');
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (state === undefined || parent === undefined || group === undefined || startTime === undefined) return null;
  const seconds = (index: number): number => Number(fields[index]) / ticksPerSecond;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
    zombie: state === 'Z' || state === 'X',
    cpuSeconds: seconds(11) + seconds(12),
    childCpuSeconds: seconds(13) + seconds(14),
  };
}

/** USER_HZ is 100 on every architecture that Node.js runs on. */
const ticksPerSecond = 100;

/** Includes the pid namespace, because in another container the same pid is another process. */
function bootId(): string {
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

function readFacts(pid: number): ProcessFacts | null {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(pid, stat);
}

/** Leaves out memory that comes from files, because other processes share it. */
function ownMemory(pid: number): number {
  const status = readOr(`/proc/${pid}/status`) ?? '';
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return 1024 * (kilobytes('RssAnon') + kilobytes('RssShmem') + kilobytes('VmSwap'));
}

function holdsVariable(environment: string | null, wanted: string): boolean {
  if (environment === null) return false;
  for (let at = environment.indexOf(wanted); at !== -1; at = environment.indexOf(wanted, at + 1)) {
    if (at === 0 || environment.charCodeAt(at - 1) === 0) return true;
  }
  return false;
}

async function eachProcess(visit: (pid: number) => void): Promise<void> {
  const breathe = breaths();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    visit(pid);
    await breathe();
  }
}

/** Decodes as text, which is fastest and keeps the ASCII that callers search. */
function readOr(path: string): string | null {
  return quietly(() => readFileSync(path, 'utf8'));
}

/**
 * Null: the process ended (ENOENT, ESRCH) or belongs to another user (EACCES, EPERM). Decodes as text, which is fastest
 * and keeps the ASCII that callers search. Makes no stack traces: half of a table are kernel processes without an
 * environment, and a trace for each takes longest.
 */
export function quietly<T>(read: () => T): T | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return read();
  } catch {
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
