import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Terminal } from 'vscode';
import { RecordedTerminals } from '../../src/extension/terminals/recordedTerminals';
import { memory } from './memory';

const terminal = (exitStatus?: object): Terminal => ({ exitStatus }) as unknown as Terminal;

describe('terminals over a reload', () => {
  it('belong to the run their process showed', async () => {
    const store = memory();
    await new RecordedTerminals(store).record('/runs/1', process.pid);
    assert.equal(new RecordedTerminals(store).runDirOf(process.pid), '/runs/1');
    assert.equal(new RecordedTerminals(store).runDirOf(undefined), undefined);
  });

  it('come back when VS Code reports them, before or after somebody waits', async () => {
    const recorded = new RecordedTerminals(memory());
    const mine = terminal();
    await recorded.record('/runs/1', process.pid);
    const waiting = recorded.returning('/runs/1', 60_000);
    recorded.opened(mine, process.pid);
    assert.equal(await waiting, mine);
    assert.equal(await recorded.returning('/runs/1', 60_000), mine);
  });

  it('do not come back when their process is gone, or their terminal has ended', async () => {
    const recorded = new RecordedTerminals(memory());
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await recorded.record('/runs/1', child.pid ?? 0);
    assert.equal(await recorded.returning('/runs/1', 60_000), undefined);
    assert.equal(await recorded.returning('/runs/unknown', 60_000), undefined);
    await recorded.record('/runs/2', process.pid);
    recorded.opened(terminal({ code: 0 }), process.pid);
    assert.equal(await recorded.returning('/runs/2', 60_000), undefined);
  });

  it('are given up after a while, and forgotten when closed', async () => {
    const recorded = new RecordedTerminals(memory());
    await recorded.record('/runs/1', process.pid);
    assert.equal(await recorded.returning('/runs/1', 1), undefined);
    assert.equal(recorded.opened(terminal(), process.pid), false, 'its run has another one by now');
    assert.equal(recorded.opened(terminal(), process.pid), true);
    await recorded.forget('/runs/1');
    assert.equal(recorded.runDirOf(process.pid), undefined);
  });
});
