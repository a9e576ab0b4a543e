import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Terminal } from 'vscode';
import { RecordedTerminals } from '../../../src/extension/terminals/recordedTerminals';
import { identityOf } from '../../../src/adapters/processes/tree';
import { memory } from '../memory';

/** `pid` null: it has none yet. */
const terminal = (pid: number | null | undefined = process.pid, exitStatus?: object): Terminal =>
  ({ exitStatus, processId: Promise.resolve(pid ?? undefined) }) as unknown as Terminal;

describe('terminals over a reload', () => {
  it('belong to the run that their process showed', async () => {
    const store = memory();
    await new RecordedTerminals(store).record('/runs/1', terminal());
    const recorded = new RecordedTerminals(store);
    const [back, other] = [terminal(), terminal(null)];
    for (const one of [back, other]) assert.equal(await recorded.opened(one), true);
    assert.deepEqual([recorded.runDirOf(back), recorded.runDirOf(other)], ['/runs/1', undefined]);
  });

  it('come back when VS Code reports them, before or after the extension waits for them', async () => {
    const store = memory();
    await new RecordedTerminals(store).record('/runs/1', terminal());
    const recorded = new RecordedTerminals(store);
    const mine = terminal();
    const waiting = recorded.returning('/runs/1', 60_000);
    await recorded.opened(mine);
    assert.equal(await waiting, mine);
    assert.equal(await recorded.returning('/runs/1', 60_000), mine);
  });

  it('do not come back when their process is gone, or their terminal has ended', async () => {
    const recorded = new RecordedTerminals(memory());
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await recorded.record('/runs/1', terminal(child.pid));
    child.stdin.end();
    await once(child, 'exit');
    assert.equal(await recorded.returning('/runs/1', 60_000), undefined);
    assert.equal(await recorded.returning('/runs/unknown', 60_000), undefined);
    await recorded.record('/runs/2', terminal(process.pid, { code: 0 }));
    assert.equal(await recorded.returning('/runs/2', 60_000), undefined);
  });

  describe('whose record was lost, because the extension host was killed', () => {
    let view: ChildProcess;

    before(async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'mission-views '));
      const program = path.join(folder, 'supervisor-0.1.0-0123456789abcdef.cjs');
      await writeFile(program, 'process.stdin.resume()');
      view = spawn(process.execPath, [program, 'view', '/runs/with spaces/1', '--hold']);
      await once(view, 'spawn');
    });

    after(async () => {
      view.stdin?.end();
      await once(view, 'exit');
      await rm(path.dirname(view.spawnargs[1] ?? ''), { recursive: true });
    });

    it('belong to the run that their process was started to show', async () => {
      const recorded = new RecordedTerminals(memory());
      const back = terminal(view.pid);
      assert.equal(await recorded.opened(back), true);
      assert.equal(recorded.runDirOf(back), '/runs/with spaces/1');
    });

    it('give way where the run has another one by now, whichever VS Code reports first', async () => {
      const recorded = new RecordedTerminals(memory());
      const [back, another] = [terminal(view.pid), terminal()];
      assert.equal(await recorded.record('/runs/with spaces/1', another), undefined);
      assert.equal(await recorded.opened(back), false);
      const later = new RecordedTerminals(memory());
      await later.opened(back);
      assert.equal(await later.record('/runs/with spaces/1', another), back);
      assert.equal(later.runDirOf(another), '/runs/with spaces/1');
    });
  });

  it('are given up after a time limit, and forgotten when closed', async () => {
    const store = memory();
    await new RecordedTerminals(store).record('/runs/1', terminal());
    const recorded = new RecordedTerminals(store);
    assert.equal(await recorded.returning('/runs/1', 1), undefined);
    assert.equal(await recorded.opened(terminal()), false, 'its run has another one by now');
    const again = terminal();
    assert.equal(await recorded.opened(again), true);
    await recorded.forget('/runs/1');
    assert.equal(recorded.runDirOf(again), undefined);
  });

  it('are never a person’s own terminal that reuses the pid of a mission terminal', async () => {
    const now = await identityOf(process.pid);
    for (const before of [
      { ...now, start_time: '1' },
      { ...now, boot_id: 'an earlier one' },
    ]) {
      const recorded = new RecordedTerminals(memory({ terminals: { '/runs/1': before } }));
      const own = terminal();
      assert.equal(await recorded.opened(own), true);
      assert.equal(recorded.runDirOf(own), undefined);
      assert.equal(await recorded.returning('/runs/1', 60_000), undefined);
    }
  });
});
