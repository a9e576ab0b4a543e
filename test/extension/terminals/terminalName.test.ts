import assert from 'node:assert/strict';
import { terminalName, type NamedLaunch } from '../../../src/extension/terminals/run';

describe('the name of a terminal', () => {
  const first: NamedLaunch = {
    planId: 'P1',
    taskId: 'T1',
    worker: 'claude',
    purpose: 'worker',
    attempt: 1,
    launch: 1,
  };
  const named: readonly (readonly [string, Partial<NamedLaunch>])[] = [
    ['T1 · claude (Mission P1)', {}],
    ['T1 · claude · launch 2 (Mission P1)', { launch: 2 }],
    ['#2 T1 · claude · attempt 2 (Mission P1)', { attempt: 2 }],
    ['#2 T1 · claude · attempt 2 · launch 3 (Mission P1)', { attempt: 2, launch: 3 }],
    ['T1 · verify (Mission P1)', { purpose: 'verify' }],
    ['T1 · orchestrator claude (Mission P1)', { purpose: 'orchestrator' }],
    ['#3 T1 · verify · attempt 3 (Mission P1)', { purpose: 'verify', attempt: 3 }],
    [`T1 · claude (Mission ${'p'.repeat(29)}…)`, { planId: 'p'.repeat(60) }],
  ];
  for (const [name, changes] of named)
    it(`is ${name}`, () => assert.equal(terminalName({ ...first, ...changes }).toString(), name));

  it('is another one for each launch of a task, within what a narrow tab shows', () => {
    const short = named.map(([, changes]) => terminalName({ ...first, ...changes, planId: 'x' }).toString());
    const long = new Set(short.slice(0, 6).map((name) => name.slice(0, name.indexOf('('))));
    assert.equal(long.size, 6);
  });
});
