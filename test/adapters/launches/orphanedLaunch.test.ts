import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LeftLaunches } from '../../../src/adapters/launches/orphanedLaunch';
import { bootOnce, processTable } from '../../../src/adapters/processes/tree';
import type { ProcessFacts, ProcessTable } from '../../../src/adapters/processes/facts';
import { runFiles, type ExitRecord, type ProcessIdentity, type ProcessRecord } from '../../../src/contracts/launch';
import type { LeftProcess } from '../../../src/core/view/mission/orphanedProcess';

const nonce = 'c'.repeat(32);
const boot = 'this-boot pid:[1]';
const supervisor: ProcessIdentity = { pid: 10, start_time: '100', boot_id: boot };
const worker: ProcessIdentity = { pid: 11, start_time: '110', boot_id: boot };
const record: ProcessRecord = {
  launch_id: 'L',
  nonce,
  supervisor,
  worker,
  env_names: [],
  started_at: '2026-07-01T10:00:00.000Z',
};
const exit: ExitRecord = {
  schema_version: '1.0.0',
  launch_id: 'L',
  nonce,
  reason: 'exited',
  exit_code: 3,
  signal: null,
  started_at: '2026-07-01T10:00:00.000Z',
  ended_at: '2026-07-01T10:00:01.000Z',
  tree_gone: true,
  survivors: [],
  leftovers: [],
  error: null,
  stdout: null,
  stderr: null,
  stderr_tail: '',
  summary: null,
};

/** A run directory, and a machine whose processes and time the test says. */
class Bed {
  readonly table = new Map<number, string>();
  carriers: readonly number[] = [];
  now = 0;
  reads = 0;
  scans = 0;
  #left: LeftLaunches | null = null;

  constructor(
    readonly runDir: string,
    readonly hasProc: boolean,
  ) {}

  runs(...all: readonly ProcessIdentity[]): void {
    for (const { pid, start_time } of all) this.table.set(pid, start_time);
  }

  async write(name: string, value: unknown): Promise<void> {
    await writeFile(path.join(this.runDir, name), typeof value === 'string' ? value : JSON.stringify(value));
  }

  async look(process: ProcessRecord | null = null): Promise<LeftProcess | undefined> {
    this.#left ??= new LeftLaunches({
      table: {
        bootId: () => Promise.resolve(boot),
        read: (pid) => {
          this.reads += 1;
          const startTime = this.table.get(pid);
          return Promise.resolve(startTime === undefined ? null : processFacts(pid, startTime));
        },
        carriers: (wanted) => {
          assert.equal(wanted, nonce);
          this.scans += 1;
          return Promise.resolve(this.carriers);
        },
      },
      isThere: (pid) => this.table.has(pid),
      now: () => this.now,
      hasProc: this.hasProc,
    });
    return (await this.#left.read(this.runDir, { launch_id: 'L', nonce, process })).left;
  }
}

function processFacts(pid: number, startTime: string): ProcessFacts {
  const none = { parent: 1, group: null, session: null, zombie: false, cpuSeconds: 0, childCpuSeconds: 0 };
  return { pid, startTime, ...none };
}

describe('the process of a launch that no owner watches', () => {
  const dirs: string[] = [];
  async function bedOf(hasProc: boolean): Promise<Bed> {
    const dir = await mkdtemp(path.join(tmpdir(), 'left-'));
    dirs.push(dir);
    return new Bed(dir, hasProc);
  }
  afterEach(async () => {
    for (const dir of dirs.splice(0)) await rm(dir, { recursive: true });
  });

  const unknown = { state: 'unknown' };
  const ended = { state: 'ended', exit_code: null, signal: null };
  const elsewhere = { state: 'unknown', elsewhere: true };
  const away = { ...worker, boot_id: 'another-boot pid:[1]' };
  const beside = { ...worker, boot_id: 'this-boot pid:[2]' };

  interface Case {
    readonly what: string;
    readonly record: ProcessRecord;
    readonly runs?: readonly ProcessIdentity[];
    readonly carriers?: readonly number[];
    readonly hasProc?: boolean;
    readonly is: object;
  }
  const cases: readonly Case[] = [
    {
      what: 'is not known where its record is of another boot',
      record: { ...record, supervisor: { ...supervisor, boot_id: away.boot_id }, worker: away },
      runs: [supervisor, worker],
      is: elsewhere,
    },
    {
      what: 'is not known where that record names no worker',
      record: { ...record, supervisor: { ...supervisor, boot_id: away.boot_id }, worker: null },
      is: elsewhere,
    },
    {
      what: 'is not known in another container',
      record: { ...record, supervisor: { ...supervisor, boot_id: beside.boot_id }, worker: beside },
      is: unknown,
    },
    { what: 'runs below its supervisor', record, runs: [supervisor, worker], is: { state: 'runs', pid: 11 } },
    { what: 'runs without its supervisor', record, runs: [worker], is: { state: 'runs', pid: 11 } },
    { what: 'is not known while its supervisor may end what it left', record, runs: [supervisor], is: unknown },
    { what: 'is not known where the record was written before it', record: { ...record, worker: null }, is: unknown },
    { what: 'has ended where no process carries its nonce', record, is: ended },
    { what: 'has ended, not what it started', record, carriers: [12], is: { ...ended, rest: 'runs' } },
    {
      what: 'has ended, and what it started cannot be looked for',
      record,
      hasProc: false,
      is: { ...ended, rest: 'unknown' },
    },
    {
      what: 'has ended where another process has its pid',
      record,
      runs: [{ ...worker, start_time: '999' }],
      is: ended,
    },
  ];
  for (const { what, record, runs = [], carriers = [], hasProc = true, is } of cases)
    it(what, async () => {
      const bed = await bedOf(hasProc);
      bed.runs(...runs);
      bed.carriers = carriers;
      await bed.write(runFiles.process, record);
      assert.deepEqual(await bed.look(), is);
      assert.deepEqual(await (await bedOf(hasProc)).look(), { state: 'unstarted' }, 'a folder without a launch');
    });

  it('has ended as its exit record says, also where it is of another boot', async () => {
    const bed = await bedOf(true);
    await bed.write(runFiles.process, {
      ...record,
      supervisor: { ...supervisor, boot_id: away.boot_id },
      worker: away,
    });
    await bed.write(runFiles.exit, exit);
    assert.deepEqual(await bed.look(), { state: 'ended', exit_code: 3, signal: null });
  });

  it('is not known where a supervisor took a ticket that cannot be read', async () => {
    const bed = await bedOf(true);
    await bed.write(runFiles.claimed, 'no JSON');
    assert.deepEqual(await bed.look(), unknown);
  });

  it('without /proc: an exit record counts more than a pid in use', async () => {
    const bed = await bedOf(false);
    bed.runs(supervisor, worker);
    await bed.write(runFiles.process, record);
    assert.deepEqual(await bed.look(), { state: 'runs', pid: 11 });
    await bed.write(runFiles.exit, exit);
    assert.deepEqual(await bed.look(), { state: 'ended', exit_code: 3, signal: null });
  });

  it('without /proc: it is recognized by its start time, which is read again only after a minute', async () => {
    const bed = await bedOf(false);
    bed.runs(worker);
    await bed.write(runFiles.process, record);
    assert.deepEqual(await bed.look(), { state: 'runs', pid: 11 });
    const { reads } = bed;
    bed.runs({ ...worker, start_time: '999' });
    assert.deepEqual([await bed.look(), bed.reads], [{ state: 'runs', pid: 11 }, reads], 'no program is started');
    bed.now += 60_000;
    assert.deepEqual(await bed.look(), { ...ended, rest: 'unknown' });
    bed.runs(worker);
    bed.now += 60_000;
    assert.deepEqual(await bed.look(), { ...ended, rest: 'unknown' }, 'for good');
  });

  for (const hasProc of [true, false])
    it(`that has ended is looked for once in ten looks, ${hasProc ? 'with' : 'without'} /proc`, async () => {
      const bed = await bedOf(hasProc);
      await bed.write(runFiles.process, record);
      for (let look = 0; look < 10; look += 1) {
        await bed.look();
        bed.now += 60_000;
      }
      assert.deepEqual([bed.reads, bed.scans], [2, hasProc ? 1 : 0], 'supervisor and worker');
    });

  it('what it started is looked for again, until it is gone', async () => {
    const bed = await bedOf(true);
    bed.carriers = [12];
    await bed.write(runFiles.process, record);
    await bed.look();
    bed.carriers = [];
    assert.deepEqual([await bed.look(), bed.scans], [{ ...ended, rest: 'runs' }, 1], 'not at once');
    bed.now += 60_000;
    assert.deepEqual([await bed.look(), bed.scans], [ended, 2]);
  });
});

describe('the boot id where asking for it starts a program', () => {
  it('is asked for once, and once more after it failed', async () => {
    let asked = 0;
    const bootId = (): Promise<string> => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('x')) : Promise.resolve('B');
    };
    const table: ProcessTable = bootOnce({ ...processTable, bootId });
    await assert.rejects(table.bootId());
    assert.deepEqual([await table.bootId(), await table.bootId(), asked], ['B', 'B', 2]);
  });
});
