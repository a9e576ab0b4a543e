import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkShape } from '../../../src/adapters/documents/schemas';
import { checkDocument, checkedDocuments, type CheckedDocument } from '../../../src/engine/plans/documentCheck';
import { checkPlan, checkPlanText } from '../../../src/engine/plans/check';
import { richPlan } from '../../core/plan/cases';
import { sampleDocuments } from './sampleDocuments';

/** Texts of one JSON value each: what a hostile or broken program writes where something sensible is expected. */
const extremes: readonly string[] = [
  ...['9e12', '1e308', '1e999', '-0', '-1', '-9e15', '0.1', '9007199254740993', '2147483648', '5e-324'],
  ...['null', 'true', '[]', '{}', '[[]]', '[null]', '""', '" "', '"NaN"', '"Infinity"', '"-0"', '"9e12"'],
  ...[
    '"+275760-09-13T00:00:00.000Z"',
    '"275760-09-13T00:00:00Z"',
    '"0000-01-01T00:00:00Z"',
    '"-000001-01-01T00:00:00Z"',
  ],
  ...[
    '"0000-01-01T00:00:00+23:59"',
    '"9999-12-31T23:59:59.999999999-23:59"',
    '"2026-02-30T00:00:00Z"',
    '"2026-01-01T24:00:00Z"',
  ],
  ...['"0000-00-00T00:00:00Z"', '"2026-01-31T23:59:60Z"', '"in_progress"', '"__proto__"', '"toString"'],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\u202e"',
    JSON.stringify('x'.repeat(70_000)),
    JSON.stringify('a/'.repeat(9000)),
  ],
  ...['{"a":1,"a":2}', '{"__proto__":{"x":1}}', '{"constructor":1}', '{"":{"":[]}}'],
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The document with every value of it, one after the other, replaced by a mark. */
function* marked(value: Json, mark: string): Generator<Json> {
  yield mark;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    for (const [at, item] of items.entries())
      for (const changed of marked(item, mark)) yield items.map((other, index) => (index === at ? changed : other));
    return;
  }
  for (const [key, item] of Object.entries(value))
    for (const changed of marked(item, mark)) yield { ...(value as object), [key]: changed };
}

const mark = '<here>';
function* variants(sample: Json): Generator<string> {
  for (const changed of marked(sample, mark)) {
    const [before = '', after = ''] = JSON.stringify(changed).split(JSON.stringify(mark));
    for (const extreme of extremes) yield `${before}${extreme}${after}`;
  }
}

const folder = path.resolve('test/fixtures/fresh-context');
const own = (kind: string): Json => {
  const sizes = readdirSync(path.join(folder, kind)).map((file) => readFileSync(path.join(folder, kind, file), 'utf8'));
  const valid = sizes.filter(
    (text) => checkDocument(kind as CheckedDocument, parseJsonText(Buffer.from(text)), checkShape).valid,
  );
  return JSON.parse(valid.sort((a, b) => b.length - a.length)[0] ?? 'null') as Json;
};
const beating = {
  run_id: '8b0e0a3e-3f1d-4c8e-9d0a-0c6b6f3b2a11',
  ledger: [
    {
      task_id: 'T-1',
      status: 'in_progress',
      owner: 'w',
      lock_scope: ['src'],
      timeout_seconds: 60,
      last_heartbeat_at: '2026-01-31T20:00:00Z',
    },
  ],
  active_locks: [{ task_id: 'T-1', resource: 'src', active: true }],
  now: '2026-01-31T20:00:10Z',
};
const more: { readonly [K in CheckedDocument]?: readonly Json[] } = {
  ...Object.fromEntries(
    (['result', 'assignment', 'handoff', 'ledger', 'locks'] as const).map((kind) => [kind, [own(kind)]]),
  ),
  ledger: [own('ledger'), beating],
};

describe('extreme values in documents', () => {
  for (const kind of Object.keys(checkedDocuments) as CheckedDocument[]) {
    it(`${kind}: every value replaced by every extreme one still gets its answer`, () => {
      let answers = 0;
      for (const sample of more[kind] ?? [sampleDocuments[kind] as Json]) {
        assert.ok(sample !== null);
        for (const text of variants(sample)) {
          const check = checkDocument(kind, parseJsonText(Buffer.from(text)), checkShape);
          const failed = check.findings.find(({ code }) => code === 'CHECK_FAILED');
          assert.equal(failed?.message, undefined, text.slice(0, 2000));
          answers += 1;
        }
      }
      assert.ok(answers > 300, String(answers));
    });
  }

  it('plan: every value replaced by every extreme one still gets its answer', () => {
    let answers = 0;
    for (const text of variants(richPlan)) {
      const check = checkPlanText(planFiles, text, '/w/docs/plans/PLAN_P1.json', { workspaceDir: '/w' });
      const failed = check.findings.find(({ code }) => code === 'CHECK_FAILED');
      assert.equal(failed?.message, undefined, text.slice(0, 2000));
      answers += 1;
    }
    assert.ok(answers > 300, String(answers));
  });
});

describe('a judge that fails', () => {
  const broken = (): never => {
    throw new RangeError('Invalid time value');
  };

  it('is a finding of the file it failed on', () => {
    for (const kind of Object.keys(checkedDocuments) as CheckedDocument[]) {
      const check = checkDocument(kind, parseJsonText(Buffer.from('{}')), broken);
      assert.equal(check.valid, false);
      const fresh = [
        ...['result', 'assignment', 'handoff', 'ledger', 'locks'],
        ...['orchestrator-output', 'task-event'],
      ].includes(kind);
      assert.equal(check.code, fresh ? 'MISSING_VALIDATOR' : 'CHECK_FAILED');
      const [finding, ...others] = check.findings;
      assert.deepEqual(others, []);
      assert.equal(finding?.code, 'CHECK_FAILED');
      assert.match(finding.message, /Invalid time value/);
    }
  });

  it('is a finding of the plan it failed on, whose digest is still named', async () => {
    const text = JSON.stringify(richPlan);
    for (const check of [
      checkPlanText({ ...planFiles, checkShape: broken }, text, null),
      await checkPlan(
        { ...planFiles, checkShape: broken, read: () => Promise.resolve(planFiles.parse(text)) },
        '/w/p.json',
      ),
    ]) {
      assert.equal(check.valid, false);
      assert.equal(check.code, 'CHECK_FAILED');
      assert.equal(check.plan, null);
      assert.equal(check.plan_sha256, planFiles.parse(text).sha256);
    }
  });
});
