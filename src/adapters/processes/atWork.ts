import { opendirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { breaths } from '../system/yieldToEventLoop';
import { quietly } from './linux';
import { processTable } from './table';
import { ancestorsIn } from './tree';

export interface ProcessAtWork {
  readonly pid: number;
  /** Its name, which the process may have chosen itself. */
  readonly program: string;
  /** The asked files that it has open for writing. */
  readonly has: readonly string[];
  /** Its working folder is the folder, or lies in it. */
  readonly here: boolean;
}

/** Recognises our own programs, because they may work in the folder as well. */
export interface OurPrograms {
  /** Returns whether our programs run with this working folder. */
  readonly folder: (folder: string) => boolean;
  /** Returns whether a script that a process runs is one of ours. Absolute. */
  readonly script: (file: string) => boolean;
}

/**
 * Finds processes that have some of these files open for writing now, or that work in the folder.
 * Leaves out those of a launch. This process, its ancestors, its children and our other programs do
 * not count as working there. Empty where the system does not say, and without processes of other
 * users. Looks for a limited time at a limited number of processes.
 */
export async function processesAtWork(
  folder: string,
  files: ReadonlySet<string>,
  ours: OurPrograms,
): Promise<readonly ProcessAtWork[]> {
  if (process.platform !== 'linux') return [];
  const found: ProcessAtWork[] = [];
  const until = performance.now() + mostMilliseconds;
  const breathe = breaths();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const name of pids.slice(-mostProcesses)) {
    const pid = Number(name);
    const has = files.size === 0 ? [] : await openIn(pid, files, breathe);
    const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
    const here = cwd !== null && (cwd === folder || cwd.startsWith(`${folder}/`)) && !isOurs(pid, cwd, ours);
    if (has.length > 0 || here) found.push({ pid, program: processName(pid), has, here });
    await breathe();
    if (performance.now() > until) break;
  }
  return found.length === 0 ? found : withoutLaunches(found);
}

const mostMilliseconds = 1_000;
const mostProcesses = 4_096;
const mostOpen = 1_024;

async function withoutLaunches(found: readonly ProcessAtWork[]): Promise<readonly ProcessAtWork[]> {
  const carriers = new Set(await processTable.carriers(null));
  const table = await processTable.list();
  const line = new Set([process.pid, ...ancestorsIn(table, process.pid)]);
  return found.flatMap((one) => {
    const above = ancestorsIn(table, one.pid);
    if ([one.pid, ...above].some((pid) => carriers.has(pid))) return [];
    const here = one.here && !line.has(one.pid) && !above.includes(process.pid);
    return one.has.length > 0 || here ? [{ ...one, here }] : [];
  });
}

function isOurs(pid: number, cwd: string, { folder, script }: OurPrograms): boolean {
  if (folder(cwd)) return true;
  const [, ...words] = wordsOf(pid);
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  return first !== '' && script(path.resolve(cwd, first));
}

async function openIn(pid: number, files: ReadonlySet<string>, breathe: Breathe): Promise<readonly string[]> {
  const found = new Set<string>();
  const folder = quietly(() => opendirSync(`/proc/${pid}/fd`));
  if (folder === null) return [];
  try {
    for (let read = 0; read < mostOpen; read += 1) {
      const entry = quietly(() => folder.readSync());
      if (entry === null) break;
      const file = quietly(() => readlinkSync(`/proc/${pid}/fd/${entry.name}`));
      if (file !== null && files.has(file) && isForWriting(pid, entry.name)) found.add(file);
      await breathe();
    }
  } finally {
    folder.closeSync();
  }
  return [...found];
}

type Breathe = ReturnType<typeof breaths>;

/** The file is open for writing if the last digit of the flags is 1 or 2. */
function isForWriting(pid: number, descriptor: string): boolean {
  const says = quietly(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? '';
  return /^flags:\s*\d*[12]$/m.test(says);
}

function processName(pid: number): string {
  const name = (quietly(() => readFileSync(`/proc/${pid}/comm`, 'utf8')) ?? '').trim();
  const shown = name === nodeThread ? nodeProgram(pid) : name;
  return /^[\w .:+/()@-]{1,64}$/.test(shown) ? shown : 'a program';
}

/** Node names its main thread so, which hides what it runs. */
const nodeThread = 'MainThread';

/** Such as `node vite.js`. */
function nodeProgram(pid: number): string {
  const [file = '', script = '-'] = wordsOf(pid);
  return [file, ...(script.startsWith('-') ? [] : [script])].map((word) => path.basename(word)).join(' ');
}

function wordsOf(pid: number): readonly string[] {
  return (quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0');
}
