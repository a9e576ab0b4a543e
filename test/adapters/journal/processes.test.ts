import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Context } from 'mocha';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openStateFolder } from '../../../src/adapters/state/folder';
import { needsReachableCheckout } from '../../support/unprivileged';
import { skipWithReason } from '../../support/skip';
import type { TestEvent } from './suite';
import { ann, entry } from './suite';
import { startProgram } from '../programs/childProgram';
import { removeScratch, scratch } from '../scratch';

interface Written {
  readonly n: number;
}

after(removeScratch);

describe('journal between processes', function () {
  it('keeps every acknowledged append when the writer is killed, and the chain holds', async () => {
    const file = path.join(await scratch(), 'state.db');
    let acknowledged = 0;
    for (let round = 1; round <= 5; round++) {
      const writer = startProgram('appender', [file, 'M', 'raise', '300']);
      assert.equal((await writer.next())['opened'], true);
      for (let n = 0; n < 40 * round; n++) acknowledged = Number((await writer.next())['seq']);
      for (const line of await writer.end('SIGKILL')) acknowledged = Number(line['seq']);
      // A viewer finds the log of the killed writer, and so does the next owner.
      for (const access of ['read', 'write'] as const) {
        const journal = openJournalDb<Written>(file, access);
        assert(journal.ok);
        const entries = await journal.value.read('M');
        assert(entries.length >= acknowledged, `${String(entries.length)} of ${String(acknowledged)}`);
        assert(entries.every(({ seq, event }) => event.n === seq));
        assert.equal((await journal.value.verifyStream('M')).valid, true);
        assert.equal((await journal.value.owner())?.pid, writer.pid);
        await journal.value.close();
      }
    }
  });

  it('opens a torn copy with the entries before the tear', async () => {
    const folder = await scratch();
    const file = path.join(folder, 'state.db');
    const writer = startProgram('appender', [file, 'M', 'raise', '300', '50']);
    await writer.next();
    for (let n = 0; n < 50; n++) await writer.next();
    await writer.end('SIGKILL');
    const { size } = await stat(`${file}-wal`);
    let before = Number.POSITIVE_INFINITY;
    for (const part of [1, 0.9, 0.5, 0.3]) {
      const copy = path.join(await scratch(), 'state.db');
      await copyFile(file, copy);
      await copyFile(`${file}-wal`, `${copy}-wal`);
      await truncate(`${copy}-wal`, Math.floor(size * part));
      const journal = openJournalDb<Written>(copy, 'write');
      assert(journal.ok);
      const report = await journal.value.verifyStream('M');
      assert.deepEqual([report.valid, report.first_bad], [true, null]);
      assert(report.events > 0 && report.events <= before);
      assert.equal((await journal.value.read('M')).length, report.events);
      before = report.events;
      await journal.value.close();
    }
    assert(before < 50);
  });

  it('says which Node it needs on one without SQLite', function () {
    // Without `getBuiltinModule`, as on Node before 20.16.
    const script = path.resolve('dist-test/adapters/programs/reader.program.js');
    const bare = `process.getBuiltinModule = undefined; process.argv.splice(1, 0, ''); require(${JSON.stringify(script)})`;
    const ran = spawnSync(
      process.execPath,
      ['-e', bare, '', os.tmpdir() + '/none', os.tmpdir() + '/none/state.db', 'M'],
      {
        encoding: 'utf8',
      },
    );
    assert.match(ran.stdout, /"reading":"STATE_STORE_UNWRITABLE","reason":"Node [0-9.]+ has no SQLite/);
  });

  it('refuses the owner that was replaced, in the middle of its appends', async () => {
    const file = path.join(await scratch(), 'state.db');
    const first = startProgram('appender', [file, 'M', 'raise', '50']);
    const firstFence = Number((await first.next())['fence']);
    for (let n = 0; n < 20; n++) await first.next();
    const second = startProgram('appender', [file, 'M2', 'raise', '50']);
    const opened = await second.next();
    assert.equal(opened['fence'], firstFence + 1);
    let last = await first.next();
    while (last['seq'] !== undefined) last = await first.next();
    assert.equal(last['code'], 'FENCED');
    for (let n = 0; n < 20; n++) assert.equal(typeof (await second.next())['seq'], 'number');
    // A late comer with the old number is refused at its first append.
    const late = startProgram('appender', [file, 'M', String(firstFence), '50']);
    assert.equal((await late.next())['opened'], true);
    assert.equal((await late.next())['code'], 'FENCED');
    await second.end('SIGKILL');
    await Promise.all([first.exited, late.exited]);
    const journal = openJournalDb<Written>(file, 'read');
    assert(journal.ok);
    for (const stream of ['M', 'M2']) assert.equal((await journal.value.verifyStream(stream)).valid, true);
    const fences = (await journal.value.read('M')).map(({ fence }) => fence);
    assert(fences.every((fence) => fence === firstFence));
    await journal.value.close();
  });

  it('is created once when two processes open it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const file = path.join(await scratch(), 'state.db');
      const programs = ['A', 'B'].map((stream) => startProgram('appender', [file, stream, 'raise', '10']));
      const opened = await Promise.all(programs.map((program) => program.next()));
      // Whole lines: a refusal says why a program got no fence.
      const fences = opened.map((line) => line['fence'] ?? JSON.stringify(line));
      assert.deepEqual(fences.toSorted(), [1, 2]);
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
    }
  });

  it('answers WRITE_FAILED on a full disk and keeps what was acknowledged', async function () {
    needsUserNamespace(this);
    const mount = await scratch();
    const script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"';
    const prefix = ['unshare', '-Urm', 'sh', '-c', script, mount];
    const writer = startProgram('appender', [path.join(mount, 'state.db'), 'M', 'raise', '20000'], prefix);
    assert.equal((await writer.next())['opened'], true);
    let acknowledged = 0;
    let line = await writer.next();
    for (; line['seq'] !== undefined; line = await writer.next()) acknowledged = Number(line['seq']);
    assert.equal(line['code'], 'WRITE_FAILED');
    assert.match(String(line['reason']), /full/);
    assert(acknowledged > 0);
    const after = await writer.next();
    assert.deepEqual(after, { report: { valid: true, events: acknowledged, first_bad: null }, read: acknowledged });
    await writer.exited;
  });

  it('cannot be opened on a disk that is full already', async function () {
    needsUserNamespace(this);
    const mount = await scratch();
    const script = 'mount -t tmpfs -o size=64k none "$0" && dd if=/dev/zero of="$0/fill" status=none 2>&-; exec "$@"';
    const prefix = ['unshare', '-Urm', 'sh', '-c', script, mount];
    const writer = startProgram('appender', [path.join(mount, 'state.db'), 'M', 'raise', '100'], prefix);
    const line = await writer.next();
    assert.deepEqual([line['opened'], line['code']], [false, 'STATE_STORE_UNWRITABLE']);
    await writer.exited;
  });

  it('says that the disk is full where the store was there before', async function () {
    needsUserNamespace(this);
    const { file } = await storeOf(process.getuid?.() ?? 0);
    const mount = await scratch();
    const script =
      'mount -t tmpfs -o size=1m none "$0" && cp "$1" "$0/state.db" && dd if=/dev/zero of="$0/fill" bs=4k status=none 2>&-; shift; exec "$@"';
    const prefix = ['unshare', '-Urm', 'sh', '-c', script, mount, file];
    const writer = startProgram('appender', [path.join(mount, 'state.db'), 'M', 'raise', '100'], prefix);
    const line = await writer.next();
    assert.deepEqual([line['opened'], line['code']], [false, 'STATE_STORE_UNWRITABLE']);
    assert.match(String(line['reason']), /full/);
    await writer.exited;
  });

  it('lets an unprivileged viewer read a read-only folder and refuses its owner', async function () {
    needsRoot(this);
    const { workspace, file } = await storeOf(65_534);
    await chmod(path.dirname(file), 0o500);
    await chmod(file, 0o400);
    assert.deepEqual(await asNobody(workspace, file), [
      { folder: 'STATE_STORE_UNWRITABLE' },
      { writing: 'STATE_STORE_UNWRITABLE' },
      { reading: 'ok', entries: 2 },
    ]);
  });

  it('refuses another user’s state folder', async function () {
    needsRoot(this);
    const { workspace, file } = await storeOf(0);
    const [folder, writing, reading] = await asNobody(workspace, file);
    assert.deepEqual(
      [folder?.['folder'], writing?.['writing'], reading?.['reading']],
      ['STATE_STORE_UNWRITABLE', 'STATE_STORE_UNWRITABLE', 'STATE_STORE_UNWRITABLE'],
    );
  });
});

/** A workspace with a store of two entries, all of it belonging to `user`. */
async function storeOf(user: number): Promise<{ workspace: string; file: string }> {
  const outer = await scratch();
  await chmod(outer, 0o755);
  const workspace = path.join(outer, 'workspace');
  await mkdir(workspace, { mode: 0o755 });
  const folder = await openStateFolder(workspace);
  assert(folder.ok);
  const file = folder.value.stateDb;
  const journal = openJournalDb<TestEvent>(file, 'write');
  assert(journal.ok);
  const raised = await journal.value.raiseFence(ann);
  assert(raised.ok);
  assert((await journal.value.append('M', 0, raised.value.fence, [entry('a'), entry('b')])).ok);
  await journal.value.close();
  for (const at of [workspace, folder.value.root, folder.value.inboxDir, folder.value.missionsDir, file]) {
    await chown(at, user, user);
  }
  return { workspace, file };
}

async function asNobody(workspace: string, file: string): Promise<readonly Record<string, unknown>[]> {
  const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
  const program = startProgram('reader', [workspace, file, 'M'], prefix);
  const lines = [await program.next(), await program.next(), await program.next()];
  await program.exited;
  return lines;
}

function needsUserNamespace(context: Context): void {
  const tried = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs none /mnt'], { encoding: 'utf8' });
  if (tried.status !== 0)
    skipWithReason(context, `no tmpfs in a user namespace: ${tried.stderr || String(tried.error)}`);
}

function needsRoot(context: Context): void {
  needsReachableCheckout(context);
  if (process.getuid?.() !== 0) skipWithReason(context, 'only root can become another user');
  const tried = spawnSync(
    'setpriv',
    ['--reuid=65534', '--regid=65534', '--clear-groups', '--', process.execPath, '--version'],
    {
      encoding: 'utf8',
    },
  );
  if (tried.status !== 0) skipWithReason(context, `cannot become another user: ${tried.stderr || String(tried.error)}`);
}
