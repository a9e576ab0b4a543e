import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJournalDb } from '../../src/adapters/journal/inProcess';
import type { MissionEvent } from '../../src/core/model/events';
import { fold } from '../../src/core/mission/evolve';
import type { Mission } from '../../src/core/model/state';
import type { StateJournal } from '../../src/adapters/journal/journal';
import { writeHistory } from './history';
import { interleaved, wallTime, type Line } from './measure';

const stream = 'BENCH-20260101T000000Z-bench1';
/** What a program of its own measures: `bench.program.js load FILE` prints it. */
export interface LoadMemory {
  readonly rss_mb: number;
}

/** A long history: what a status and a restart take, against reading and parsing the same rows and nothing else. */
export async function growthBench(scratch: string, events: number): Promise<readonly Line[]> {
  const workspace = path.join(scratch, 'growth');
  const state = path.join(workspace, '.mission-control');
  for (const folder of ['inbox', 'missions']) mkdirSync(path.join(state, folder), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(state, '.gitignore'), '*\n');
  const file = path.join(state, 'state.db');
  const history = writeHistory(file, stream, events);
  const opened = openJournalDb<MissionEvent>(file, 'write');
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const journal = opened.value;
  const { last_seq: seq, last_hash: hash } = await load(journal, true);
  const cli = path.resolve('dist/cli.js');
  const [parsed = 0, loaded = 0, verified = 0, proven = 0, status = 0, help = 0] = await interleaved(5, wallTime, [
    () => void readAndParse(file),
    async () => {
      await load(journal, false);
    },
    async () => {
      await load(journal, true);
    },
    async () => {
      const found = await journal.prove(stream, { seq, hash });
      if (found !== null) throw new Error(found);
    },
    () => void run(cli, 'status', '--workspace', workspace),
    () => void run(cli, '--help'),
  ]);
  await journal.close();
  const memory = JSON.parse(run(process.argv[1] ?? '', 'load', file)) as LoadMemory;
  const common = { unit: 'ms', against: 'SQLite read and JSON.parse of the same rows', limit: parsed } as const;
  const size = `${String(history.events)} events`;
  const most = (value: number): Line['aim'] => ({ of: 'value', is: 'at_most', value });
  return [
    { ...common, name: `history read and folded, ${size}`, ours: loaded, aim: most(500) },
    { ...common, name: `the same, chain verified (restart)`, ours: verified, aim: most(1000) },
    { ...common, name: `stored history proven before an end is told`, ours: proven, aim: most(1000) },
    {
      ...{ ...common, name: `mission status, as a process`, ours: status, aim: most(500) },
      why: 'The mission has 4,168 tasks. A fifth of the time starts the process, half reads and folds, a fifth makes the view of each task.',
    },
    { ...common, name: `(mission --help, as a process)`, ours: help, aim: null },
    {
      name: `memory of a process that loaded it`,
      unit: 'MB',
      ours: memory.rss_mb,
      against: '(resident, at most)',
      limit: null,
      aim: most(100),
    },
  ];
}

/** Loads a history in this process, which has done nothing else. */
export async function loadMemory(file: string): Promise<LoadMemory> {
  const opened = openJournalDb<MissionEvent>(file, 'read');
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const mission = await load(opened.value, true);
  if (mission.rows.length === 0) throw new Error('Nothing was loaded.');
  return { rss_mb: process.resourceUsage().maxRSS / 1024 };
}

async function load(journal: StateJournal<MissionEvent>, verified: boolean): Promise<Mission> {
  let mission: Mission | null = null;
  for await (const page of journal.pages(stream, { verified })) mission = fold(page, mission);
  if (!mission) throw new Error('There is no such mission.');
  return mission;
}

function readAndParse(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  let types = 0;
  const statement = db.prepare('SELECT seq, at, hash, event FROM entries WHERE stream = ? ORDER BY seq');
  statement.setReturnArrays(true);
  for (const row of statement.iterate(stream) as Iterable<unknown>)
    types += (JSON.parse((row as readonly string[])[3] ?? '') as { type: string }).type.length;
  db.close();
  return types;
}

function run(...argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  return stdout;
}
