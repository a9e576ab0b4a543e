import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commands } from './everyCommand';
import { CliBed, cliFile, decision } from './cliBed';

describe('a command that waits for an answer which cannot come', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  // Each with what it needs to come to its work; what is not there is never looked up.
  const database = ['--database', 'postgres://127.0.0.1:1/none'];
  const calls: Readonly<Record<string, readonly string[]>> = {
    check: ['recovery-packet', 'packet.json'],
    'plan new': ['another'],
    'plan draft': ['--goal', 'a page of questions', '--by', 'Ada'],
    'plan validate': ['docs/plans/PLAN_LOST.json'],
    'plan approve': ['docs/plans/PLAN_LOST.json', '--by', 'Ada', '--yes'],
    'plan revise': ['LOST'],
    'context new': [],
    run: ['docs/plans/PLAN_LOST.json', '--by', 'Ada'],
    status: [],
    list: [],
    diff: ['LOST'],
    pause: ['LOST', ...decision],
    resume: ['LOST', ...decision],
    stop: ['--all', ...decision],
    cancel: ['LOST', ...decision],
    acknowledge: ['LOST', ...decision],
    retry: ['LOST', 'T1', ...decision],
    'rerun-validation': ['LOST', 'T1', ...decision],
    skip: ['LOST', 'T1', '--yes', ...decision],
    accept: ['LOST', 'T1', 'x', ...decision],
    grant: ['LOST', '/', ...decision],
    answer: ['LOST', '--text', 'x', ...decision],
    intervene: ['LOST', 'T1', ...decision],
    'packet list': ['LOST'],
    'packet show': ['P1'],
    'packet resolve': ['P1', '--outcome', 'retry-repair', ...decision],
    'packet revise': ['P1', '--set', 'priority=high', ...decision],
    'memory confirm': ['LOST', '--keep-all', ...decision],
    'memory list': [],
    'memory show': ['x'],
    'memory verify': [],
    'memory set-aside': [...decision],
    'handoff export': ['LOST', ...decision],
    'handoff resume': ['handoff.json', ...decision],
    'evidence verify': ['LOST'],
    'journal export': ['LOST'],
    'journal verify': ['LOST'],
    'audit export': ['LOST'],
    'audit verify': ['LOST'],
    doctor: [],
    clean: [],
    'orch start': ['--plan', 'docs/plans/PLAN_LOST.json'],
    'orch task': ['--plan', 'docs/plans/PLAN_LOST.json', '--task', 'T1', '--phase', 'START'],
    'worker signals': ['packet.json', '--cli', 'claude'],
    undo: ['LOST', 'T1', '--dry-run'],
    'fleet host': ['--folder', 'fleet', ...database],
    'fleet watch': [...database],
    'fleet submit': ['docs/plans/PLAN_LOST.json', '--repo', 'r', '--ref', 'a'.repeat(40), ...database],
  };
  // The event server goes on until it is stopped. The others ask the database first, which test/cli/fleet.test.ts shows.
  const others = ['events serve', 'fleet setup', 'fleet list', 'fleet show', 'fleet cancel'];

  it('is any command but the event server and those that only ask a fleet', () => {
    const names = commands.map(({ name }) => name).filter((name) => !others.includes(name));
    assert.deepEqual(Object.keys(calls).sort(), names.toSorted());
  });

  for (const [name, args] of Object.entries(calls))
    it(`${name}: says so, and is no success`, async () => {
      const lost = path.join(bed.scratch, 'lost.cjs');
      // Reads begin and never end, and no timer keeps a process alive.
      writeFileSync(
        lost,
        `for (const name of ['setTimeout', 'setInterval']) {
           const begun = globalThis[name];
           globalThis[name] = (...all) => begun(...all).unref();
         }
         const fs = require('node:fs');
         for (const name of ['readFile', 'stat', 'lstat', 'open', 'realpath', 'readdir', 'access', 'mkdir'])
           fs.promises[name] = () => new Promise(() => undefined);`,
      );
      bed.plan('LOST', [{ script: '' }]);
      bed.write('packet.json', '{}');
      const ended = await bed.spawn(process.execPath, [
        '--require',
        lost,
        cliFile,
        ...name.split(' '),
        ...args,
        '--json',
      ]).ended;
      assert.deepEqual([ended.code, ended.json.code], [4, 'UNEXPECTED'], ended.stdout + ended.stderr);
      assert.match(ended.json.reason, /without an answer/);
    });
});
