import assert from 'node:assert/strict';
import { fixJson } from '../../../src/adapters/documents/fixes';
import type { FindingCode } from '../../../src/contracts/vocabulary/codes/findings';
import type { Finding } from '../../../src/core/documents/finding';
import { fixTable } from '../../../src/core/plan/fixTable';
import { mendedPlan, type PlanFix } from '../../../src/core/plan/fixes/planFix';
import { readWrittenPath } from '../../../src/core/paths/writtenPath';
import { editorFindings } from '../../../src/core/view/plan/editorFindings';
import { checkPlanText } from '../../../src/engine/plans/check';
import { offeredFixes } from '../../../src/engine/plans/offeredFixes';
import { basePlan, cases, timelessPlanFiles, withEdits, type Json } from '../../core/plan/cases';

const place = { path: '/ws/docs/plans/PLAN_base-1.json', workspaceDir: '/ws' };

function judged(text: string): readonly Finding[] {
  const { findings, text: read } = checkPlanText(timelessPlanFiles, text, place.path, { workspaceDir: '/ws' });
  return editorFindings(read.value, findings);
}

function offered(plan: Json, finding: Finding): readonly PlanFix[] {
  const now = '2026-06-01T00:00:00.000Z';
  return offeredFixes(plan, [finding], { defaultWorker: 'claude', now, ...place })[0]?.edits ?? [];
}

/** How people lay out JSON; a fix keeps each. */
const layouts: Readonly<Record<string, (plan: Json) => string>> = {
  'two spaces': (plan) => `${JSON.stringify(plan, null, 2)}\n`,
  'tabs and CRLF': (plan) => `${JSON.stringify(plan, null, '\t')}\n`.replaceAll('\n', '\r\n'),
  'one line': (plan) => JSON.stringify(plan),
  'odd spaces': (plan) => `${JSON.stringify(plan, null, 3).replaceAll('":', '"  :').replaceAll('[', '[ ')}\n\n`,
};

const errors = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);

describe('quick fixes of a plan', () => {
  const fixed = new Set<string>();

  for (const { name, edits, code, at, says } of cases) {
    const plan = withEdits(basePlan, edits);
    const found = judged(JSON.stringify(plan)).find(
      (one) => one.code === code && one.pointer === at && new RegExp(says ?? '', 's').test(one.message),
    );
    // In the editor a draft lacks nothing.
    if (!found) continue;
    for (const fix of offered(plan, found)) {
      fixed.add(code);
      it(`${name} (${code}): ${fix.title}`, () => {
        for (const [layout, write] of Object.entries(layouts)) {
          const before = write(plan);
          const after = fixJson(before, fix.edits);
          assert.deepEqual(JSON.parse(after), mendedPlan(plan, fix.edits), layout);
          assertOnlyThere(before, after, fix, layout);
          const [then, now] = [judged(before), judged(after)];
          const same = (list: readonly Finding[]): number =>
            list.filter((one) => one.code === code && one.message === found.message).length;
          assert.ok(same(now) < same(then), `${layout}: the finding stands\n${after}`);
          const left = [...errors(then)];
          for (const one of errors(now)) {
            const index = left.indexOf(one);
            assert.ok(index >= 0, `${layout}: ${one} is new\n${after}`);
            left.splice(index, 1);
          }
        }
        assertNotWider(plan, mendedPlan(plan, fix.edits) as Json);
      });
    }
  }

  it('are there for every code whose row names one', () => {
    const promised = (Object.keys(fixTable) as FindingCode[]).filter((code) => typeof fixTable[code] === 'function');
    // What git ignores is asked of git: the row is the same as that of PATH_RESERVED.
    assert.deepEqual(
      promised.filter((code) => !fixed.has(code)),
      ['SCRATCH_NOT_IGNORED'],
    );
  });

  it('offer a command where a page shows what a person decides', () => {
    const draft = withEdits(basePlan, [['/status', 'DRAFT']]);
    const [finding] = judged(JSON.stringify(draft));
    assert.equal(finding?.code, 'STATUS_NOT_APPROVED');
    const now = '2026-06-01T00:00:00.000Z';
    assert.deepEqual(offeredFixes(draft, [finding], { defaultWorker: 'claude', now, ...place }), [
      { finding, edits: [], command: 'approvePlan' },
    ]);
  });

  it('are made for as many findings as a person reads, because each is judged', () => {
    const paths = Array.from({ length: 500 }, (_, index) => `out/${index}/**`);
    const plan = withEdits(basePlan, [['/tasks/0/paths', paths]]);
    const findings = judged(JSON.stringify(plan)).filter(({ code }) => code === 'PATH_INVALID');
    assert.ok(findings.length > 50);
    const now = '2026-06-01T00:00:00.000Z';
    const made = offeredFixes(plan, findings, { defaultWorker: 'claude', now, ...place });
    assert.deepEqual(
      made.map(({ finding }) => finding),
      findings.slice(0, 10),
    );
    assert.ok(made.every(({ edits }) => edits.length > 0));
  });

  it('leave to a shell what it would take for a variable', () => {
    for (const line of ['NODE_ENV=test node --test', 'node --test %CD%', 'node ^x']) {
      const plan = withEdits(basePlan, [['/tasks/0/verify', [[line]]]]);
      const finding = judged(JSON.stringify(plan)).find(({ code }) => code === 'ARGV_SHELL_SYNTAX');
      assert.ok(finding, line);
      assert.deepEqual(
        offered(plan, finding).map(({ title }) => title),
        ['Let a shell read it'],
        line,
      );
    }
  });

  it('offer nothing for a finding about a text that is gone', () => {
    const finding: Finding = { code: 'PATH_INVALID', severity: 'error', pointer: '/tasks/7/paths/1', message: 'x.' };
    assert.deepEqual(offered(basePlan, finding), []);
    assert.deepEqual(offered([], finding), []);
    assert.deepEqual(offered(basePlan, { ...finding, code: 'toString', pointer: '' }), []);
  });

  it('offer nothing that would cause another error', () => {
    const plan = withEdits(basePlan, [['/tasks/0/dependson', ['T2']]]);
    const finding = judged(JSON.stringify(plan)).find(({ code }) => code === 'FIELD_UNKNOWN');
    assert.ok(finding);
    assert.deepEqual(
      offered(plan, finding).map(({ title }) => title),
      ['Remove "dependson"', 'Keep it as "x_dependson", which is ignored'],
    );
  });

  it('do not rename a slip into a permission', () => {
    for (const [pointer, value] of [
      ['/execution/delegation/claude_cod', true],
      ['/execution/recovry', { allow: ['add_directory'] }],
      ['/tasks/0/path', ['src']],
      ['/execution/ennv', ['TOKEN']],
    ] as const) {
      const plan = withEdits(basePlan, [[pointer, value as Json]]);
      const finding = judged(JSON.stringify(plan)).find(({ code }) => code === 'FIELD_UNKNOWN');
      assert.ok(finding, pointer);
      assert.ok(!offered(plan, finding).some(({ title }) => title.startsWith('Rename')), pointer);
    }
  });
});

/** Every line that stays is as it was: a fix changes no more lines than it has edits, each by one value. */
function assertOnlyThere(before: string, after: string, { edits }: PlanFix, layout: string): void {
  if (!before.includes('\n')) return;
  const lines = new Set(before.split('\n').map((line) => line.replace(/,?\r?$/, '')));
  const written = after.split('\n').filter((line) => !lines.has(line.replace(/,?\r?$/, '')));
  const values = edits.reduce(
    (sum, edit) =>
      sum + (edit.kind === 'spread' ? edit.values.length : edit.kind === 'set' ? lineCount(edit.value) : 1),
    0,
  );
  assert.ok(written.length <= values, `${layout}: lines that no edit names were written anew\n${written.join('\n')}`);
}

function lineCount(value: unknown): number {
  return typeof value === 'object' ? JSON.stringify(value, null, 1).split('\n').length : 1;
}

type Reading = Readonly<Record<string, unknown>>;

/** What a plan allows is never more than before, and nothing is approved. */
function assertNotWider(before: Json, after: Json): void {
  const approvals = ({ status, risk, approval }: Reading): unknown => [status, risk, approval];
  const [was, is] = [before as Reading, after as Reading];
  // A plan without one of them gets the value that approves nothing.
  const added = { status: 'DRAFT', approval: { required: true } };
  assert.deepEqual(
    approvals(is),
    approvals({
      ...('status' in is && !('status' in was) && { status: added.status }),
      ...('approval' in is && !('approval' in was) && { approval: added.approval }),
      ...was,
    }),
  );
  const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]).map(String) : []);
  const at = (plan: Reading, ...keys: readonly string[]): unknown =>
    keys.reduce<unknown>((value, key) => (value as Reading | undefined)?.[key], plan);
  for (const keys of [
    ['scope', 'allowed'],
    ['execution', 'env'],
    ['execution', 'network'],
    ['execution', 'devices'],
    ['execution', 'recovery', 'allow'],
    ['execution', 'recovery', 'directories'],
  ])
    assert.ok(
      texts(at(is, ...keys)).every((one) => texts(at(was, ...keys)).includes(one)),
      keys.join('.'),
    );
  for (const keys of [['delegation', 'claude_code'], ['confinement'], ['agent_network'], ['budget']])
    assert.deepEqual(at(is, 'execution', ...keys), at(was, 'execution', ...keys));
  if (!Array.isArray(at(was, 'execution', 'network')))
    assert.deepEqual(at(is, 'execution', 'network'), at(was, 'execution', 'network'));
  assert.ok(texts(at(was, 'scope', 'forbidden')).every((one) => texts(at(is, 'scope', 'forbidden')).includes(one)));
  const tasks = (plan: Reading): readonly Reading[] =>
    Array.isArray(plan['tasks']) ? (plan['tasks'] as Reading[]) : [];
  for (const [index, task] of tasks(is).entries()) {
    const places = (value: unknown): readonly string[] => texts(value).map(samePlace);
    const earlier = tasks(was)[index];
    assert.ok(
      places(task['paths']).every((one) => places(earlier?.['paths']).includes(one)),
      'paths',
    );
    assert.ok(places(earlier?.['forbidden_paths']).every((one) => places(task['forbidden_paths']).includes(one)));
  }
}

/** By another reading than the one of the fixes. */
function samePlace(text: string): string {
  const resolved = new URL(
    text
      .replaceAll('\\', '/')
      .replace(/\*\*.*$/, '')
      .replace(/^\/ws\//, ''),
    'x://h/a/',
  );
  const path = decodeURIComponent(resolved.pathname);
  return path.startsWith('/a/') && readWrittenPath(path.slice(3)).ok ? path.replace(/\/$/, '') : `outside: ${text}`;
}
