import assert from 'node:assert/strict';
import { secretNames, secretPatterns } from '../../../src/contracts/vocabulary/files/secretPatterns';
import { judgePlan } from '../../../src/core/plan/judgePlan';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, cases, withEdits, timelessPlanFiles } from './cases';
import type { Json } from './cases';

const place = '/ws/docs/plans/PLAN_base-1.json';
const check = (plan: Json): ReturnType<typeof checkPlanText> =>
  checkPlanText(timelessPlanFiles, JSON.stringify(plan, null, 2), place, { workspaceDir: '/ws' });

describe('rules of a plan', () => {
  it('find nothing in the base plan of the cases', () => {
    assert.deepEqual(check(basePlan).findings, []);
  });

  for (const { name, edits, code, severity = 'error', at, says } of cases) {
    it(`${name}: ${code} at ${at === '' ? 'the document' : at}`, () => {
      const { findings, valid, code: primary } = check(withEdits(basePlan, edits));
      const finding = findings.find(
        (candidate) =>
          candidate.code === code && candidate.pointer === at && new RegExp(says ?? '', 's').test(candidate.message),
      );
      assert.ok(finding, JSON.stringify(findings, null, 1));
      assert.equal(finding.severity, severity);
      assert.ok((finding.line ?? 0) > 0 && (finding.column ?? 0) > 0, 'has a position');
      assert.equal(valid, !findings.some((one) => one.severity === 'error'));
      assert.equal(primary === 'OK', valid);
      // Every sentence says what to do, and no value is complained about twice.
      assert.match(finding.message, /^.{15,}[.?]$/s);
      const errors = findings
        .filter((one) => one.severity === 'error' && one.code !== 'MISSING_REQUIRED_INPUT')
        .map((one) => `${one.code} ${one.pointer}`);
      assert.equal(new Set(errors).size, errors.length, errors.join('\n'));
    });
  }

  it('look at the name of a field wherever a pattern of secrets may', () => {
    const quotes = secretPatterns.filter(({ kind }) => kind === 'assignment').map(({ pattern }) => pattern.source);
    assert.equal(quotes.length, 3);
    const names = quotes.flatMap((source) => [
      ...source.matchAll(/[a-z_?[\]()-]*(?:key|token|secret|passw[a-z()?]*|credential|passphrase)/g),
    ]);
    assert.ok(names.length > 15);
    for (const [name] of names) assert.match(name, secretNames);
    for (const { pattern, kind } of secretPatterns) if (/\[:=\]/.test(pattern.source)) assert.equal(kind, 'assignment');
  });

  it('refuse a text that Linux does not pass to a program, counted in bytes', () => {
    const at = (text: string): readonly string[] =>
      check(withEdits(basePlan, [['/tasks/0/command', ['node', '-e', text]]])).findings.map(
        ({ code, pointer }) => `${code} ${pointer}`,
      );
    assert.deepEqual(at('x'.repeat(131_071)), []);
    assert.deepEqual(at('x'.repeat(131_072)), ['ARGV_INVALID /tasks/0/command/2']);
    assert.deepEqual(at('ä'.repeat(65_536)), ['ARGV_INVALID /tasks/0/command/2']);
  });

  it('report an approval an hour in the future, but not one of a clock a minute ahead', () => {
    const at = (now: string): readonly string[] =>
      checkPlanText({ ...timelessPlanFiles, now: () => now }, JSON.stringify(basePlan), place, {
        workspaceDir: '/ws',
      }).findings.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
    const approved = Date.parse((basePlan as { approval: { approved_at: string } }).approval.approved_at);
    assert.deepEqual(at(new Date(approved - 60_000).toISOString()), []);
    assert.deepEqual(at(new Date(approved - 3_600_000).toISOString()), [
      'warning APPROVAL_IN_FUTURE /approval/approved_at',
    ]);
  });

  it('take an approval for later than a plan of the same second, because approvals have no parts of seconds', () => {
    const at = (created_at: string): readonly string[] =>
      checkPlanText(timelessPlanFiles, JSON.stringify({ ...(basePlan as object), created_at }), place, {
        workspaceDir: '/ws',
      }).findings.map(({ code }) => code);
    const { approved_at } = (basePlan as { approval: { approved_at: string } }).approval;
    assert.match(approved_at, /:\d\dZ$/);
    assert.deepEqual(at(approved_at.replace('Z', '.999Z')), []);
    const next = new Date(Date.parse(approved_at) + 1000).toISOString();
    assert.deepEqual(at(next), ['APPROVAL_BEFORE_CREATION']);
  });

  it('tell a flood as one finding with a count, and what differs one by one', () => {
    const tasks = Array.from({ length: 40 }, (_, index) => ({
      task_id: `T${index}`,
      description: 'x',
      worker: 'command',
    }));
    const { findings } = check(withEdits(basePlan, [['/tasks', tasks]]));
    const lacking = findings.filter(({ message }) => message.includes('lacks "paths"'));
    assert.equal(lacking.length, 1);
    assert.equal(lacking[0]?.pointer, '/tasks/0');
    assert.match(lacking[0].message, /The same holds in 39 more places \(lines \d+, \d+, \d+, \.\.\.\)\.$/);
    const few = check(withEdits(basePlan, [['/tasks', tasks.slice(0, 3)]])).findings;
    assert.equal(few.filter(({ message }) => message.includes('lacks "paths"')).length, 3);
  });

  it('are all judged at once, in document order', () => {
    const { findings, code } = check(
      withEdits(basePlan, [
        ['/tasks/1/paths', ['/x']],
        ['/status', 'DRAFT'],
        ['/risk/level', 4],
        ['/success_criteria', 'all'],
      ]),
    );
    assert.deepEqual(
      findings.map((finding) => finding.code),
      ['STATUS_NOT_APPROVED', 'RISK_TOO_HIGH', 'PATH_INVALID', 'SCHEMA_INVALID'],
    );
    assert.equal(code, 'STATUS_NOT_APPROVED');
  });

  it('let x_ fields, tokens and folders around the reserved ones pass', () => {
    const plan = withEdits(basePlan, [
      ['/x_ticket', 42],
      ['/tasks/0/x_size', { deep: true }],
      ['/tasks/0/paths', ['docs/', 'docs/ops', 'app/[slug]/page.tsx', './src//a', 'docs/planserver']],
      ['/tasks/0/forbidden_paths', ['docs/plans', 'docs/secret']],
      ['/tasks/0/requires', ['docs_update']],
    ]);
    assert.deepEqual(check(plan).findings, []);
  });

  it('find every cycle among many tasks, and nothing in a long chain', () => {
    const tasks = (count: number, dependsOn: (index: number) => string[]): Json =>
      Array.from({ length: count }, (_, index) => ({
        task_id: `T${index}`,
        description: 'x',
        paths: [`p${index}`],
        worker: 'command',
        command: ['node'],
        depends_on: dependsOn(index),
      }));
    const chain = withEdits(basePlan, [['/tasks', tasks(2000, (index) => (index === 0 ? [] : [`T${index - 1}`]))]]);
    assert.deepEqual(check(chain).findings, []);
    const pairs = withEdits(basePlan, [
      ['/tasks', tasks(400, (index) => [`T${index % 2 === 0 ? index + 1 : index - 1}`])],
    ]);
    assert.equal(check(pairs).findings.length, 200);
    const ring = withEdits(basePlan, [['/tasks', tasks(2000, (index) => [`T${(index + 1) % 2000}`])]]);
    const found = check(ring).findings;
    assert.equal(found.length, 1);
    assert.match(found[0]?.message ?? '', /T0 needs T1 .* needs \.\.\. needs T0/);
  });

  it('never throw on any JSON value', () => {
    const values: Json[] = [
      null,
      true,
      0,
      'x',
      [],
      [[]],
      {},
      { tasks: null },
      { tasks: [null, 1, 'x', [], {}] },
      { execution: [] },
      { milestones: { id: 1 } },
    ];
    for (const value of values) {
      assert.ok(
        judgePlan(value, { defaultWorker: 'claude', path: null, workspaceDir: null, now: '2026-06-01T00:00:00Z' })
          .length >= 0,
      );
      assert.equal(check(value).valid, false);
    }
  });
});
