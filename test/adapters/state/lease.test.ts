import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { createLease } from '../../../src/adapters/state/lease';
import { leaseSupport, networkFileSystem } from '../../../src/adapters/state/leaseSupport';
import { openStateFolder, type StateFolder } from '../../../src/adapters/state/folder';
import type { StateJournal } from '../../../src/adapters/journal/journal';
import type { Lease } from '../../../src/engine/ports/ownership';
import { skipWithReason } from '../../support/skip';
import { codeOf } from '../../support/refused';
import { ann, entry } from '../journal/suite';
import { startProgram, type ChildProgram } from '../programs/childProgram';
import { removeScratch, scratch } from '../scratch';

describe('lease', function () {
  let folder: StateFolder;
  let journal: StateJournal<unknown>;
  const programs: ChildProgram[] = [];

  const leaseHere = (): Lease => createLease({ file: folder.leaseDb, journal });
  const racer = async (): Promise<ChildProgram> => {
    const program = startProgram('leaseRacer', [folder.workspace]);
    programs.push(program);
    assert.deepEqual(await program.next(), { ready: true });
    return program;
  };
  const ask = async (program: ChildProgram, line: string): Promise<Record<string, unknown>> => {
    program.send(line);
    return program.next();
  };

  beforeEach(async () => {
    const opened = await openStateFolder(await scratch());
    assert(opened.ok);
    folder = opened.value;
    const db = openJournalDb<unknown>(folder.stateDb, 'write');
    assert(db.ok);
    journal = db.value;
  });
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.end('SIGKILL')));
    await journal.close();
  });
  after(removeScratch);

  it('is held by one owner, also within one process, and names it', async () => {
    const [first, second] = [leaseHere(), leaseHere()];
    assert.equal(await first.isOwned(), false);
    const taken = await first.acquire(ann);
    assert.deepEqual(taken, { ok: true, value: { fence: 1 } });
    for (const lease of [first, second]) {
      assert.equal(await lease.isOwned(), true);
      const refused = await lease.acquire({ kind: 'human', name: 'Bob' });
      assert(!refused.ok);
      assert.equal(refused.refusal.code, 'LEASE_HELD');
      assert.match(refused.refusal.reason, new RegExp(`Ann \\(process ${String(process.pid)}, since 20`));
    }
    await first.release();
    assert.equal(await second.isOwned(), false);
    assert.deepEqual(await second.acquire(ann), { ok: true, value: { fence: 2 } });
    await second.release();
  });

  it('is not taken for held while another process only looks at it, however slow the look is', async () => {
    const first = leaseHere();
    assert((await first.acquire(ann)).ok);
    await first.release();
    const looking = new DatabaseSync(folder.leaseDb, { readOnly: true });
    looking.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const lease = leaseHere();
    const acquiring = lease.acquire(ann);
    setTimeout(() => looking.close(), 1000);
    assert.deepEqual(await acquiring, { ok: true, value: { fence: 2 } });
    await lease.release();
  });

  it('is refused for a reader that stays, with the process that reads', async () => {
    const first = leaseHere();
    assert((await first.acquire(ann)).ok);
    await first.release();
    const hold = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1], { readOnly: true });
      db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      console.log('held'); setInterval(() => db, 1000);`;
    const reader = spawn(process.execPath, ['-e', hold, folder.leaseDb], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(reader.stdout, 'data');
      const refused = await leaseHere().acquire(ann);
      assert(!refused.ok);
      assert.equal(refused.refusal.code, 'LEASE_BLOCKED');
      const holder = process.platform === 'linux' ? `process ${reader.pid} holds` : 'another program holds';
      assert.ok(refused.refusal.reason.includes(holder), refused.refusal.reason);
      assert.ok(refused.refusal.next.some((step) => step.includes('mission stop --all')));
    } finally {
      reader.kill('SIGKILL');
    }
  });

  it('stays with its holder however often others look, in this process and outside', async () => {
    const holder = leaseHere();
    assert((await holder.acquire(ann)).ok);
    const other = await racer();
    for (let look = 0; look < 5; look++) {
      assert.equal(await leaseHere().isOwned(), true);
      assert.equal(codeOf(await leaseHere().acquire(ann)), 'LEASE_HELD');
      assert.deepEqual(await ask(other, 'held'), { held: true });
      assert.equal((await ask(other, 'acquire'))['code'], 'LEASE_HELD');
    }
    assert.equal((await journal.owner())?.fence, 1);
    await holder.release();
    assert.deepEqual(await ask(other, 'held'), { held: false });
  });

  it('goes to exactly one of two processes that ask at the same time, each time with a higher fence number', async () => {
    const racers = [await racer(), await racer()] as const;
    for (let round = 1; round <= 50; round++) {
      const results = await Promise.all(racers.map((program) => ask(program, 'acquire')));
      const winners = racers.filter((_, index) => results[index]?.['ok'] === true);
      assert.equal(winners.length, 1, JSON.stringify(results));
      assert.deepEqual(
        results.map(({ ok, fence, code }) => (ok === true ? fence : code)).sort(),
        [round, 'LEASE_HELD'].sort(),
      );
      assert.deepEqual(await ask(winners[0] as ChildProgram, 'release'), { released: true });
    }
  });

  it('is free as soon as its owner is killed', async () => {
    for (let round = 1; round <= 5; round++) {
      const owner = await racer();
      assert.deepEqual(await ask(owner, 'acquire'), { ok: true, fence: 2 * round - 1 });
      const waiting = leaseHere();
      assert.equal(codeOf(await waiting.acquire(ann)), 'LEASE_HELD');
      await owner.end('SIGKILL');
      assert.deepEqual(await waiting.acquire(ann), { ok: true, value: { fence: 2 * round } });
      await waiting.release();
    }
  });

  it('is not taken when the journal cannot record the owner', async () => {
    await journal.close();
    const lease = leaseHere();
    const refused = await lease.acquire(ann);
    assert(!refused.ok);
    assert.equal(refused.refusal.code, 'STATE_STORE_UNWRITABLE');
    assert.equal(await lease.isOwned(), false);
  });

  it('refuses a lease file with content: it could switch the kind of locking', async () => {
    await writeFile(folder.leaseDb, 'x', { mode: 0o600 });
    const refused = await leaseHere().acquire(ann);
    assert(!refused.ok);
    assert.equal(refused.refusal.code, 'STATE_STORE_CORRUPT');
    assert.equal(await leaseHere().isOwned(), false);
  });

  it('gives no right to append once it was lost unnoticed', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows lets nobody remove an open file');
    const [first, second] = [leaseHere(), leaseHere()];
    assert.deepEqual(await first.acquire(ann), { ok: true, value: { fence: 1 } });
    assert((await journal.append('M', 0, 1, [entry('a')])).ok);
    await rm(folder.leaseDb);
    assert.deepEqual(await second.acquire(ann), { ok: true, value: { fence: 2 } });
    const refused = await journal.append('M', 1, 1, [entry('b')]);
    assert(!refused.ok);
    assert.equal(refused.code, 'FENCED');
    await first.release();
    await second.release();
  });
});

describe('lease support', () => {
  it('is found on the local disk', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-adapters-'));
    assert.deepEqual(await leaseSupport(folder), { ok: true, value: null });
    await rm(folder, { recursive: true });
  });

  it('is refused for network file systems by their type', () => {
    // linux/magic.h: NFS_SUPER_MAGIC, CIFS_SUPER_MAGIC (as a signed 32-bit number, too), SMB2, EXT4, TMPFS, FUSE.
    assert.equal(networkFileSystem(0x6969), 'NFS');
    assert.equal(networkFileSystem(0xff534d42), 'CIFS');
    assert.equal(networkFileSystem(0xff534d42 | 0), 'CIFS');
    assert.equal(networkFileSystem(0xfe534d42), 'SMB');
    for (const local of [0xef53, 0x01021994, 0x65735546]) assert.equal(networkFileSystem(local), null);
  });

  it('is refused where the path is longer than SQLite takes, and found where it is one byte shorter', async () => {
    const top = await mkdtemp(path.join(os.tmpdir(), 'mission-adapters-'));
    const rest = '/.mission-control/state.db';
    const ofLength = async (bytes: number): Promise<string> => {
      const deep = path.join(top, 'x'.repeat(200));
      const folder = path.join(deep, 'y'.repeat(bytes - deep.length - 1 - rest.length));
      await mkdir(folder, { recursive: true });
      return folder;
    };
    const [fits, tooLong] = [await ofLength(504), await ofLength(505)];
    assert.deepEqual(await leaseSupport(fits), { ok: true, value: null });
    const refused = await leaseSupport(tooLong);
    assert.ok(!refused.ok);
    assert.equal(refused.refusal.code, 'LEASE_UNSUPPORTED');
    assert.match(refused.refusal.next.join(), /shorter by 1 byte/);
    for (const [folder, opens] of [
      [fits, true],
      [tooLong, false],
    ] as const) {
      const state = await openStateFolder(folder);
      assert.ok(state.ok);
      const journal = openJournalDb(state.value.stateDb, 'write');
      assert.equal(journal.ok, opens, 'the limit is SQLite’s');
      if (journal.ok) await journal.value.close();
    }
    await rm(top, { recursive: true });
  });

  it('is refused with a code where there is no folder', async () => {
    const refused = await leaseSupport(path.join(os.tmpdir(), 'mission-adapters-missing', 'x'));
    assert.equal(refused.ok, process.platform !== 'linux');
  });
});
