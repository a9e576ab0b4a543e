import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import fsPromises, { chmod, mkdir, readFile, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { createInbox } from '../../src/adapters/inbox/receive';
import { identityOf } from '../../src/adapters/processes/tree';
import { isTaken, sendCommand, type OutgoingCommand } from '../../src/adapters/inbox/otherOwner';
import { openStateFolder, type StateFolder } from '../../src/adapters/state/folder';
import { maxCommandBytes } from '../../src/contracts/inbox';
import type { InboxCommand } from '../../src/engine/ports/ownership';
import { skipWithReason } from '../support/skip';
import { startProgram, type ChildProgram } from './programs/childProgram';
import { removeScratch, scratch } from './scratch';

function command(id: string = randomUUID()): OutgoingCommand {
  return {
    ...{ id, mission_id: 'M1', command: { kind: 'PauseMission' }, actor: { kind: 'human', name: 'Ann' } },
    ...{ reason: 'lunch', expected_seq: 7, from_worker: false, token_sha256: null },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited for nothing');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The inodes of what a process holds open, as seen at once. */
function openIn(pid: number): readonly bigint[] {
  const fds = `/proc/${String(pid)}/fd`;
  return readdirSync(fds).flatMap(
    (name) => statSync(path.join(fds, name), { bigint: true, throwIfNoEntry: false })?.ino ?? [],
  );
}

describe('inbox', function () {
  let folder: StateFolder;
  const programs: ChildProgram[] = [];
  const start = (name: string, ...args: readonly string[]): ChildProgram => {
    const program = startProgram(name, [folder.workspace, ...args]);
    programs.push(program);
    return program;
  };
  const fail = (problem: string): never => assert.fail(problem);

  beforeEach(async () => {
    const opened = await openStateFolder(await scratch());
    assert(opened.ok);
    folder = opened.value;
  });
  afterEach(() => Promise.all(programs.splice(0).map((program) => program.end('SIGKILL'))));
  after(removeScratch);

  it('carries a command to the owner and the answer back, and leaves nothing behind', async () => {
    const inbox = createInbox(folder, fail);
    const answer = { accepted: false, code: 'ALREADY_PAUSED', reason: 'It is paused.', next: ['mission resume'] };
    const received: InboxCommand[] = [];
    const watching = inbox.watch((found) => {
      received.push(found);
      void inbox.answer(found.id, answer);
    });
    const sent = command();
    assert.deepEqual(await sendCommand(folder, sent, { timeoutMs: 60_000 }), answer);
    const [{ asked_at = '' } = {}] = received;
    assert.ok(Date.parse(asked_at) > 0);
    assert.deepEqual(received, [{ ...sent, asked_at, identified: true }]);
    await until(async () => !(await isTaken(folder, sent.id)));
    await watching.dispose();
    assert.deepEqual((await readdir(folder.inboxDir)).sort(), ['rejected', 'taken']);
    assert.deepEqual(await readdir(path.join(folder.inboxDir, 'taken')), []);
  });

  it('says of a file put there by hand that its sender is not known', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'only Linux tells who holds a file open');
    const byHand = command();
    const alive = await identityOf(process.ppid);
    assert(alive);
    const forgery = (sender: object): string =>
      JSON.stringify({ schema_version: '1.0.0', ...command(), ...sender, sent_at: '2026-01-01T00:00:00.000Z' });
    const files = [forgery({ id: byHand.id }), forgery({ sender: alive })];
    for (const text of files) {
      const { id } = JSON.parse(text) as { id: string };
      await writeFile(path.join(folder.inboxDir, `${id}.json`), text, { mode: 0o600 });
    }
    const received: InboxCommand[] = [];
    const watching = createInbox(folder, fail).watch((found) => received.push(found));
    await until(() => Promise.resolve(received.length === 2));
    await watching.dispose();
    assert.deepEqual(
      received.map(({ identified }) => identified),
      [false, false],
    );
  });

  it('lets the sender hold its command open before an owner sees it', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'only Linux tells who holds a file open');
    const commands = 20;
    const sender = start('inboxSender', String(commands), '200');
    const held: boolean[] = [];
    for (let n = 0; n < commands; n++) {
      const { sending } = await sender.next();
      const file = path.join(folder.inboxDir, `${String(sending)}.json`);
      // Without a pause: an owner that the system wakes for the file may look as soon as this.
      const seen = (): bigint | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
      let inode = seen();
      for (const deadline = Date.now() + 60_000; inode === undefined && Date.now() < deadline;) inode = seen();
      held.push(inode !== undefined && openIn(sender.pid).includes(inode));
      await sender.next();
    }
    assert.deepEqual(
      held,
      Array.from({ length: commands }, () => true),
    );
  });

  it('finds out by itself that the sender belongs to a worker, whatever the command claims', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'the environment of another process is read on Linux only');
    const received: InboxCommand[] = [];
    const inbox = createInbox(folder, fail);
    const watching = inbox.watch((found) => {
      received.push(found);
      void inbox.answer(found.id, { accepted: false, code: 'NON_COMPLIANT', reason: '', next: [] });
    });
    const sender = startProgram(
      'inboxSender',
      [folder.workspace, '1', '30000'],
      ['env', `MISSION_RUN_NONCE=${'0'.repeat(32)}`],
    );
    programs.push(sender);
    await sender.next();
    await sender.next();
    await watching.dispose();
    assert.deepEqual(
      received.map(({ identified, from_worker }) => ({ identified, from_worker })),
      [{ identified: true, from_worker: true }],
    );
  });

  /** Sends it again and again until an owner takes it, who does not answer. */
  async function taken(sent: OutgoingCommand): Promise<void> {
    const said: unknown[] = [];
    while (said.at(-1) !== 'pending') {
      said.push(await sendCommand(folder, sent, { timeoutMs: 500 }));
      assert.ok(said.length < 120 && !said.some((one) => typeof one === 'object'), JSON.stringify(said));
    }
  }

  it('withdraws a command that no owner took, so that it is never carried out', async () => {
    const sent = command();
    assert.equal(await sendCommand(folder, sent, { timeoutMs: 50 }), 'nobody');
    assert.deepEqual(await readdir(folder.inboxDir), []);
    const received: string[] = [];
    const inbox = createInbox(folder, fail);
    const watching = inbox.watch(({ id }) => received.push(id));
    const later = command();
    await taken(later);
    assert.deepEqual(received, [later.id]);
    await watching.dispose();
    // Asked about again while there is no owner: the copy that was taken is decided by the next owner.
    assert.equal(await sendCommand(folder, later, { timeoutMs: 50 }), 'pending');
  });

  it('lets a sender take its command back from an owner that has ended', async () => {
    const sent = command();
    const takenDir = path.join(folder.inboxDir, 'taken');
    await mkdir(takenDir);
    let there = true;
    const sending = sendCommand(folder, sent, { timeoutMs: 60_000, owned: () => Promise.resolve(there) });
    const file = `${sent.id}.json`;
    await until(async () => (await readdir(folder.inboxDir)).includes(file));
    await rename(path.join(folder.inboxDir, file), path.join(takenDir, file));
    there = false;
    assert.equal(await sending, 'gone');
    assert.deepEqual(await readdir(takenDir), []);
  });

  it('does not call a command unsent once an owner can see it, even when its folder cannot be synchronised', async () => {
    const { open } = fsPromises;
    fsPromises.open = async (...args) => {
      const handle = await open(...args);
      if ((await handle.stat()).isDirectory()) handle.sync = () => Promise.reject(new Error('the disk'));
      return handle;
    };
    syncBuiltinESMExports();
    const sent = command();
    const sending = sendCommand(folder, sent, { timeoutMs: 60_000 });
    await until(async () => (await readdir(folder.inboxDir)).includes(`${sent.id}.json`)).finally(() => {
      fsPromises.open = open;
      syncBuiltinESMExports();
    });
    // Nothing else shows that the sender is past what it may ask of the disk.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const inbox = createInbox(folder, fail);
    const answer = { accepted: true, code: 'OK', reason: '', next: [] };
    const watching = inbox.watch(({ id }) => void inbox.answer(id, answer));
    assert.deepEqual(await sending, answer);
    await watching.dispose();
  });

  it('makes the sender ask once a second whether there is an owner, however busy the folder is', async () => {
    let asked = 0;
    let time = 0;
    let looks = 0;
    const now = (): number => {
      looks += 1;
      return time;
    };
    const owned = (): Promise<boolean> => Promise.resolve((asked += 1) < 2);
    const sending = sendCommand(folder, command(), { timeoutMs: 60_000, owned, now });
    await until(() => Promise.resolve(looks > 0));
    const busy = (): Promise<void> =>
      writeFile(path.join(folder.inboxDir, `${randomUUID()}.answer.json`), 'of another');
    for (const times of [0, 1]) {
      for (let n = 0; n < 100; n++) await busy();
      assert.equal(asked, times);
      time += 1000;
      await until(async () => {
        await busy();
        return asked > times;
      });
    }
    assert.equal(await sending, 'gone');
  });

  it('answers that there is no owner where there is no state folder, and refuses a command that is not valid', async () => {
    const nowhere = { ...folder, inboxDir: path.join(folder.inboxDir, 'missing') };
    assert.equal(await sendCommand(nowhere, command(), { timeoutMs: 50 }), 'nobody');
    for (const wrong of [command('../x'), { ...command(), reason: 'x'.repeat(maxCommandBytes) }]) {
      const answer = await sendCommand(folder, wrong, { timeoutMs: 50 });
      assert(typeof answer === 'object');
      assert.equal(answer.code, 'COMMAND_INVALID');
    }
  });

  it('delivers commands that are older than the owner in the order in which they were sent', async () => {
    const sent = Array.from({ length: 20 }, () => command());
    const first = createInbox(folder, fail);
    const answers: ReturnType<typeof sendCommand>[] = [];
    for (const one of sent) {
      answers.push(sendCommand(folder, one, { timeoutMs: 60_000 }));
      await until(async () => (await readdir(folder.inboxDir)).includes(`${one.id}.json`));
    }
    const received: string[] = [];
    const watching = first.watch(({ id }) => {
      received.push(id);
      void first.answer(id, { accepted: true, code: 'ACCEPTED', reason: '', next: [] });
    });
    await Promise.all(answers);
    await watching.dispose();
    assert.deepEqual(
      received,
      sent.map(({ id }) => id),
    );
  });

  it('gives the next owner what was taken and not answered, and nothing that was answered', async () => {
    const [answered, open] = [command(), command()];
    const inbox = createInbox(folder, fail);
    const taken: string[] = [];
    const first = inbox.watch(({ id }) => taken.push(id));
    const sending = [answered, open].map((one) => sendCommand(folder, one, { timeoutMs: 60_000 }));
    await until(() => Promise.resolve(taken.length === 2));
    await first.dispose();
    await inbox.answer(answered.id, { accepted: true, code: 'ACCEPTED', reason: 'once', next: [] });
    const again: string[] = [];
    const second = inbox.watch(({ id }) => {
      again.push(id);
      void inbox.answer(id, { accepted: true, code: 'ACCEPTED', reason: 'twice', next: [] });
    });
    const reasons = (await Promise.all(sending)).map((answer) => (typeof answer === 'object' ? answer.reason : answer));
    await second.dispose();
    assert.deepEqual(reasons, ['once', 'twice']);
    assert.deepEqual(again, [open.id]);
  });

  it('answers a command that is sent again: the engine knows it by its id', async () => {
    const inbox = createInbox(folder, fail);
    let times = 0;
    const watching = inbox.watch(({ id }) => {
      times += 1;
      void inbox.answer(id, { accepted: true, code: 'ACCEPTED', reason: String(times), next: [] });
    });
    const sent = command();
    for (const reason of ['1', '2']) {
      const answer = await sendCommand(folder, sent, { timeoutMs: 60_000 });
      assert(typeof answer === 'object');
      assert.equal(answer.reason, reason);
      await until(async () => !(await isTaken(folder, sent.id)));
    }
    await watching.dispose();
  });

  it('does not wait for a named pipe that lies in it', async function () {
    const id = randomUUID();
    const made = spawnSync('mkfifo', ['-m', '600', path.join(folder.inboxDir, `${id}.json`)]);
    if (made.status !== 0) skipWithReason(this, 'no named pipes here');
    const inbox = createInbox(folder, fail);
    const watching = inbox.watch(() => assert.fail('a pipe is no command'));
    await until(async () => (await readdir(folder.inboxDir)).includes(`${id}.answer.json`));
    await watching.dispose();
  });

  it('moves everything that is not a command aside, and names it', async function () {
    const put = (name: string, content: string): Promise<void> =>
      writeFile(path.join(folder.inboxDir, name), content, { mode: 0o600 });
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const name = (index: number): string => `${ids[index] as string}.json`;
    const valid = { schema_version: '1.0.0', ...command(ids[6]), sent_at: '2026-01-01T00:00:00.000Z' };
    await put(name(0), '{ not json');
    await put(name(1), 'x'.repeat(maxCommandBytes + 1));
    await put(name(2), '{"id":1}');
    await mkdir(path.join(folder.inboxDir, name(3)));
    await put('secret.txt', 'not for us');
    await symlink('secret.txt', path.join(folder.inboxDir, name(4)));
    await put(name(5), JSON.stringify(valid)); // the id of another command
    await put(name(6), JSON.stringify({ ...valid, extra: true }));
    await put(name(7), JSON.stringify({ ...valid, id: ids[7] }));
    await chmod(path.join(folder.inboxDir, name(7)), process.platform === 'win32' ? 0o600 : 0o666);
    await put('..json', '{}');
    await put('state.json', '{}');
    const received: string[] = [];
    const inbox = createInbox(folder, fail);
    const watching = inbox.watch(({ id }) => received.push(id));
    const expected = process.platform === 'win32' ? ids.slice(0, 7) : ids;
    for (const id of expected) {
      const file = path.join(folder.inboxDir, `${id}.answer.json`);
      await until(async () => (await readdir(folder.inboxDir)).includes(path.basename(file)));
      const answer = JSON.parse(await readFile(file, 'utf8')) as { accepted: boolean; code: string; reason: string };
      assert.deepEqual([answer.accepted, answer.code], [false, 'COMMAND_INVALID']);
      assert.notEqual(answer.reason, '');
    }
    await taken(command());
    await watching.dispose();
    assert.equal(received.length, process.platform === 'win32' ? 2 : 1);
    const rejected = await readdir(path.join(folder.inboxDir, 'rejected'));
    assert.deepEqual(rejected.sort(), [...expected.map((id) => `${id}.json`), '..json', 'state.json'].sort());
  });

  it('goes on with other commands when it can neither reject nor remove nor use a file', async () => {
    const at = (...names: readonly string[]): string => path.join(folder.inboxDir, ...names);
    // A folder where a refused file belongs, and folders named like an answer and a half-written file that no process took.
    await mkdir(at('taken'));
    await writeFile(at('taken', 'junk.json'), '{}', { mode: 0o600 });
    await mkdir(at('rejected', 'junk.json', 'deep'), { recursive: true });
    const longAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    for (const name of ['x.answer.json', '.x.json.0123456789abcdef.tmp']) {
      await mkdir(at(name));
      await utimes(at(name), longAgo, longAgo);
    }
    const inbox = createInbox(folder, () => undefined);
    const watching = inbox.watch((found) => {
      void inbox.answer(found.id, { accepted: true, code: 'OK', reason: 'Paused.', next: [] });
    });
    const answer = await sendCommand(folder, command(), { timeoutMs: 60_000 });
    await watching.dispose();
    assert.equal(typeof answer === 'object' && answer.accepted, true, JSON.stringify(answer));
    assert.deepEqual(await readdir(at('rejected', 'junk.json')), ['deep']);
  });

  it('moves aside what stands where its folders belong', async () => {
    await writeFile(path.join(folder.inboxDir, 'taken'), 'mine');
    await symlink(folder.missionsDir, path.join(folder.inboxDir, 'rejected'));
    const inbox = createInbox(folder, () => undefined);
    const watching = inbox.watch((found) => {
      void inbox.answer(found.id, { accepted: true, code: 'OK', reason: 'Paused.', next: [] });
    });
    await writeFile(path.join(folder.inboxDir, 'junk.json'), '{}', { mode: 0o600 });
    const answer = await sendCommand(folder, command(), { timeoutMs: 60_000 });
    await until(async () => (await readdir(path.join(folder.inboxDir, 'rejected'))).includes('junk.json'));
    await watching.dispose();
    assert.equal(typeof answer === 'object' && answer.accepted, true, JSON.stringify(answer));
    assert.deepEqual(await readdir(folder.missionsDir), []);
    const aside = (await readdir(folder.inboxDir)).find((name) => name.startsWith('taken~'));
    assert.equal(await readFile(path.join(folder.inboxDir, aside ?? ''), 'utf8'), 'mine');
  });

  it('gets every command of two processes decided and answered once, though the first owner is killed', async () => {
    const senders = [start('inboxSender', '10', '40000'), start('inboxSender', '10', '40000')];
    const hanging = start('inboxOwner', 'hang');
    assert.deepEqual(await hanging.next(), { ready: true });
    // It takes the first command of each sender and dies with them in its hands.
    const taken = [await hanging.next(), await hanging.next()].map((line) => line['took']);
    await hanging.end('SIGKILL');
    const owner = start('inboxOwner', 'answer');
    assert.deepEqual(await owner.next(), { ready: true });
    const answered = new Map<unknown, number>();
    for (const sender of senders) {
      for (let n = 0; n < 10; n++) {
        const sending = await sender.next();
        const line = await sender.next();
        assert.equal(sending['sending'], line['id']);
        assert.deepEqual(line['answer'], { accepted: true, code: 'ACCEPTED', reason: `number ${String(n)}`, next: [] });
        answered.set(line['id'], (answered.get(line['id']) ?? 0) + 1);
      }
    }
    assert.equal(answered.size, 20);
    await until(async () => (await readdir(path.join(folder.inboxDir, 'taken'))).length === 0);
    const lines = await owner.end('SIGKILL');
    const took = lines.map((line) => line['took']).filter((id) => typeof id === 'string');
    assert.equal(took.length, 20);
    assert.deepEqual(new Set(took), new Set(answered.keys()));
    for (const id of taken) assert(took.some((other) => other === id));
  });
});
