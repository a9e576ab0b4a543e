import assert from 'node:assert/strict';
import { play } from '../../scenarios/play';
import type { AttemptScript, ScriptedAct, Situation } from '../../scenarios/scenario';

type Worker = 'command' | 'codex';

describe('what a scope violation says of its worker', () => {
  const hook = '.git/hooks/pre-commit';
  const accuses = /[Tt]he worker changed/;

  function reasonOf(worker: Worker, world: AttemptScript, more: Partial<Situation> = {}): string {
    const tasks = [{ task_id: 'T1', worker, paths: ['src'] }, ...(more.tasks ?? [])];
    const row = play({ ...more, tasks, world: { 'T1#1': world } }).mission.rows[0];
    assert.deepEqual([row?.status, row?.code], ['failed', 'SCOPE_VIOLATION']);
    return row?.attempts.at(-1)?.failure?.reason ?? '';
  }
  const seen = (path: string, more: object = {}): readonly ScriptedAct[] => [
    { at: { effect: 'awaitWorker' }, report: { type: 'OutOfScopeWriteWasSeen', launch_id: '', path, ...more } },
  ];

  it('a planted hook fails the mission and accuses no worker that did not announce it', () => {
    const reason = reasonOf('command', { changes: [hook] });
    assert.match(
      reason,
      /^\.git\/hooks\/pre-commit changed while task T1 ran\. Only time and place show who changed it\./,
    );
    assert.match(reason, /because git would use what was planted\. Nothing was reverted\.$/);
    assert.doesNotMatch(reason, /worker/);
  });

  it('a way out of the approved paths fails the mission and accuses no worker that did not announce it', () => {
    const out = { changes: ['src/deep/.mission-control/x'] };
    const reason = reasonOf('command', out);
    assert.match(
      reason,
      /^src\/deep\/\.mission-control\/x changed while task T1 ran\. Only time and place show who changed it\./,
    );
    assert.match(
      reason,
      /because it lies in \.mission-control, which is reserved: no task may write there\. Nothing was reverted\.$/,
    );
    assert.match(reasonOf('codex', out), accuses);
  });

  it('paths of another task that its sandbox opened fail the mission and accuse no worker', () => {
    const world = { changes: ['lib/a'], confined: true, reach: { writable: ['src', 'lib'], read_only: [] } };
    const tasks = [{ task_id: 'T2', paths: ['lib'] }];
    const reason = reasonOf('command', world, { tasks });
    assert.match(
      reason,
      /^lib\/a changed while task T1 ran\. Only time and place show who changed it\. It fails the mission/,
    );
    assert.match(reason, /because the sandbox let the worker write in paths of another task\. Nothing was reverted\.$/);
    assert.match(reasonOf('codex', world, { tasks }), accuses);
  });

  it('its result accuses it of what it names, and of nothing beside that', () => {
    assert.match(
      reasonOf('codex', { changes: [hook] }),
      /^The worker changed \.git\/hooks\/pre-commit outside the approved paths of its task\. Nothing was reverted\.$/,
    );
    const reason = reasonOf('command', { changes: ['other/x', hook] }, { script: seen('other/x') });
    assert.match(
      reason,
      /^The worker changed other\/x outside the approved paths of its task\. \.git\/hooks\/pre-commit/,
    );
    assert.match(
      reason,
      /pre-commit changed while task T1 ran\. Only time and place show who changed it\. It fails the mission/,
    );
  });

  it('what its stream announced is its own, and what the runner saw by itself is not', () => {
    assert.match(reasonOf('command', { changes: [hook] }, { script: seen(hook) }), accuses);
    assert.doesNotMatch(reasonOf('command', { changes: [hook] }, { script: seen(hook, { seen: true }) }), accuses);
  });

  it('every path that its stream announced is its own, also behind the one for which it was stopped', () => {
    const changes = ['other/x', 'other/y', 'other/z'];
    const end = { announced: ['other/x', 'other/y'] };
    const reason = reasonOf('codex', { claim: 'missing', changes, end }, { script: seen('other/x') });
    assert.match(reason, /^The worker changed other\/x and other\/y outside the approved paths of its task\. Nothing/);
    const silent = reasonOf('codex', { claim: 'missing', changes, end: {} }, { script: seen('other/x') });
    assert.match(silent, /^The worker changed other\/x outside the approved paths of its task\. Nothing/);
  });

  it('a task that may only read fails by what changed, and is accused where its result names it', () => {
    const failed = (worker: Worker): string => {
      const tasks = [{ task_id: 'T1', worker, intent: 'debugging', writes: false, paths: ['src'] } as const];
      const row = play({ tasks, world: { 'T1#1': { changes: ['src/a.ts'] } } }).mission.rows[0];
      assert.deepEqual([row?.status, row?.code], ['failed', 'NON_COMPLIANT']);
      return row?.attempts.at(-1)?.failure?.reason ?? '';
    };
    assert.match(
      failed('command'),
      /, and src\/a\.ts changed while its worker ran\. Neither a result nor a stream announces all of it\./,
    );
    assert.match(failed('codex'), /, and its worker changed src\/a\.ts\. Nothing was reverted\.$/);
  });
});

describe('what a block says of a repository that appears in approved paths', () => {
  const open = { writable: ['src'], read_only: [] };
  function said(world: AttemptScript, more: Partial<Situation> = {}): string {
    const tasks = [{ task_id: 'T1', worker: 'command' as const, paths: ['src'] }, ...(more.tasks ?? [])];
    const row = play({ ...more, tasks, world: { ...more.world, 'T1#1': world } }).mission.rows[0];
    const failure = row?.attempts.at(-1)?.failure;
    assert.equal(failure?.kind === 'recoverable' && failure.category, 'external_change');
    return [failure?.reason, ...(failure?.details ?? [])].join('\n');
  }
  const changes = ['src/.git/HEAD'];

  it('names the only worker of the mission that could write there, and no other program', () => {
    const words = said({ changes, confined: true, reach: open });
    assert.match(words, /Of this mission only the worker of T1 could write there; a program outside its sandbox could/);
    assert.doesNotMatch(words, /may come from|Nothing shows/);
  });

  it('names no worker where no sandbox held it', () => {
    const words = said({ changes });
    assert.match(words, /Nothing shows who changed it\./);
    assert.match(words, /may come from git/);
  });
});
