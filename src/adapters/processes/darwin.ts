import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nonceVariable, type ProcessFacts, type ProcessTable } from './facts';
import { sendSignal } from './linux';

/**
 * macOS through `ps` and `sysctl`. UNTESTED there: written from the manual pages; the parser is tested with recorded
 * text. Limits: start times have a resolution of one second; `ps -E` shows the environment only of the user's own
 * processes, without those that System Integrity Protection protects.
 */
export const darwinProcesses: ProcessTable = {
  async bootId() {
    return (await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])).trim();
  },
  async list() {
    return parsePs(await run('/bin/ps', ['-axo', columns]));
  },
  async read(pid) {
    return parsePs(await run('/bin/ps', ['-o', columns, '-p', String(pid)]).catch(() => '')).get(pid) ?? null;
  },
  async memoryOf(pids) {
    const text = pids.length === 0 ? '' : await run('/bin/ps', ['-o', 'rss=', '-p', pids.join(',')]).catch(() => '');
    return 1024 * text.split('\n').reduce((total, line) => total + Number(line), 0);
  },
  async carriers(nonce) {
    const wanted = nonce === null ? ` ${nonceVariable}=` : ` ${nonceVariable}=${nonce}`;
    const found: number[] = [];
    for (const line of (await run('/bin/ps', ['-axEwwo', 'pid=,command='])).split('\n')) {
      if (line.includes(wanted)) found.push(Number.parseInt(line, 10));
    }
    return found;
  },
  async commandLine(pid) {
    const text = await run('/bin/ps', ['-wwo', 'command=', '-p', String(pid)]).catch(() => '');
    return text.trim() === '' ? [] : text.trim().split(' ');
  },
  signal(pid, signal, group) {
    sendSignal(group ? -pid : pid, signal);
    return Promise.resolve();
  },
};

/** Exported for its test. A line: `  412   1   412 Ss   Mon Mar  2 09:14:07 2026   0:01.52`. */
export function parsePs(text: string): ReadonlyMap<number, ProcessFacts> {
  const table = new Map<number, ProcessFacts>();
  for (const line of text.split('\n')) {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(\S+)\s*$/.exec(line);
    if (found === null) continue;
    const [, pid = '', parent = '', group = '', state = '', start = '', cpu = ''] = found;
    table.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: null,
      startTime: start.replace(/\s+/g, ' '),
      zombie: state.startsWith('Z'),
      cpuSeconds: cpuSeconds(cpu),
      childCpuSeconds: 0,
    });
  }
  return table;
}

const columns = 'pid=,ppid=,pgid=,stat=,lstart=,time=';

/** `[[dd-]hh:]mm:ss.cc` */
function cpuSeconds(text: string): number {
  return text
    .split(/[-:]/)
    .reduce((total, part, index, all) => total * (all.length === 4 && index === 1 ? 24 : 60) + Number(part), 0);
}

async function run(file: string, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, argv, {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 10_000,
  });
  return stdout;
}
