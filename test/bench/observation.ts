import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshMilliseconds } from '../../src/adapters/files/entry';
import { createWorkspace } from '../../src/adapters/workspace/workspace';
import type { Outcome } from '../../src/base/outcome';
import { interleaved, wallTime, type Line } from './measure';

const rounds = 3;
const request = { mission_id: 'm', forbidden_paths: [], paths: ['out'] };

/** What a program of its own measures: `bench.program.js look FOLDER` prints it. */
export interface LookMemory {
  readonly rss_mb: number;
}

/** Looks at repositories of several sizes, two fifths tracked and the rest below an ignored node_modules, against a plain walk. */
export async function observationBench(scratch: string, sizes: readonly number[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const size of sizes) lines.push(...(await looksAt(scratch, size)));
  return lines;
}

async function looksAt(scratch: string, files: number): Promise<readonly Line[]> {
  const folder = repository(scratch, files);
  await sleep(freshMilliseconds + 100); // what was written a moment ago is read again, wherever it is
  const user_state = mkdtempSync(path.join(scratch, 'state-'));
  const known = createWorkspace(folder, { user_state });
  const run_dir = path.join(scratch, 'run');
  let { manifest_sha256: baseline_sha256 } = opened(await known.baseline(request));
  const [walked = 0, first = 0, difference = 0, next = 0] = await interleaved(rounds, wallTime, [
    () => walk(folder),
    async () => void opened(await createWorkspace(folder, { user_state }).baseline(request)),
    async () => void opened(await known.difference({ ...request, run_dir, baseline_sha256 })),
    async () => {
      baseline_sha256 = opened(await known.baseline(request)).manifest_sha256;
    },
  ]);
  const child = spawnSync(process.execPath, [process.argv[1] ?? '', 'look', folder], { encoding: 'utf8' });
  const { rss_mb } = JSON.parse(child.stdout) as LookMemory;
  const common = { unit: 'ms', against: 'lstat of every file', limit: walked } as const;
  const aim: Line['aim'] = { of: 'ratio', is: 'at_most', value: 1.1 };
  const size = `${files.toLocaleString('en')} files`;
  return [
    // It has to read what it has never seen: one such walk is no limit for that.
    { ...common, name: `first baseline of ${size}`, ours: first, aim: null },
    { ...common, name: `difference of ${size}`, ours: difference, aim: files < 10_000 ? null : aim },
    { ...common, name: `next baseline of ${size}`, ours: next, aim: files < 10_000 ? null : aim },
    {
      name: `memory of a process that took three looks at ${size}`,
      unit: 'MB',
      ours: rss_mb,
      against: '(resident, at most)',
      limit: null,
      aim: { of: 'value', is: 'at_most', value: 150 },
    },
  ];
}

/** Three looks in this process, which has done nothing else. */
export async function lookMemory(folder: string): Promise<LookMemory> {
  const workspace = createWorkspace(folder, { user_state: mkdtempSync(`${folder}-state-`) });
  const { manifest_sha256: baseline_sha256 } = opened(await workspace.baseline(request));
  opened(await workspace.difference({ ...request, run_dir: `${folder}-run`, baseline_sha256 }));
  opened(await workspace.baseline(request));
  return { rss_mb: process.resourceUsage().maxRSS / 1024 };
}

function repository(scratch: string, files: number): string {
  const folder = mkdtempSync(path.join(scratch, 'looked-at-'));
  const perFolder = 20;
  const tracked: string[] = [];
  for (let index = 0; index < files; index += 1) {
    const number = Math.floor(index / perFolder);
    const inner = `${number % 5 < 2 ? 'src' : 'node_modules'}/part-${number % 40}/folder-${number}`;
    if (index % perFolder === 0) mkdirSync(path.join(folder, inner), { recursive: true });
    writeFileSync(path.join(folder, inner, `file-${index}.ts`), `export const value${index} = ${index};\n`.repeat(20));
    if (inner.startsWith('src')) tracked.push(`${inner}/file-${index}.ts`);
  }
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules/\n.mission-control/\n');
  const git = (input: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid', ...args], {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
  git('', 'init', '-q');
  // What the index and HEAD say of them is the same; making an object of each would take longer than everything else.
  const object = git('one for all', 'hash-object', '-w', '--stdin').trim();
  git(tracked.map((file) => `100644 ${object}\t${file}\n`).join(''), 'update-index', '--index-info');
  git('', 'commit', '-q', '-m', 'all');
  return folder;
}

function walk(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) lstatSync(inner);
    else if (entry.name !== '.git') walk(inner);
  }
}

function opened<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.reason);
  return outcome.value;
}
