import assert from 'node:assert/strict';
import { mendedPlan } from '../../../src/core/plan/fixes/planFix';
import { checkPlanText } from '../../../src/engine/plans/check';
import { offeredFixes } from '../../../src/engine/plans/offeredFixes';
import { basePlan, timelessPlanFiles, withEdits } from '../../core/plan/cases';

const place = '/ws/docs/plans/PLAN_base-1.json';
const options = { path: place, workspaceDir: '/ws', defaultWorker: 'claude' } as const;
const now = '2026-06-01T00:00:00.000Z';

const verifyOf = (plan: unknown): unknown => (plan as { tasks: { verify: unknown }[] }).tasks[0]?.verify;

describe('a list of texts where a list of commands must stand', () => {
  it('is one command, and each line in it is a command of its own', () => {
    const verify = (...texts: readonly string[]): readonly [string, unknown] => {
      const plan = withEdits(basePlan, [['/tasks/0/verify', [...texts]]]);
      const { findings } = checkPlanText(timelessPlanFiles, JSON.stringify(plan), place, { workspaceDir: '/ws' });
      const found = findings.filter(({ pointer }) => pointer.startsWith('/tasks/0/verify'));
      const [fix] = offeredFixes(plan, found, { ...options, now })[0]?.edits ?? [];
      const said = found.map(({ pointer, message }) => `${pointer} ${message}`).join('\n');
      return [said, fix && verifyOf(mendedPlan(plan, fix.edits))];
    };
    const how = '/tasks/0/verify "verify" must hold a list for each command. Write it like';
    assert.deepEqual(verify('node', 'check.js'), [`${how} [["node","check.js"]].`, [['node', 'check.js']]]);
    const shell = ['sh', '-c', 'npm test && npm run lint'];
    assert.deepEqual(verify('npm', 'test', '&&', 'npm', 'run', 'lint'), [
      `${how} ${JSON.stringify([shell])}.`,
      [shell],
    ]);
    assert.match(verify('npm test', 'npm run lint')[0], /^\/tasks\/0\/verify\/0 .*\["npm","test"\]\.\n.*"lint"\]\.$/);
    assert.match(verify('make')[0], /^\/tasks\/0\/verify\/0 .* Write it like \["make"\]\.$/);
  });
});
