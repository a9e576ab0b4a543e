import assert from 'node:assert/strict';
import {
  validateAssignment,
  type AssignmentContext,
  orchestratorOutputFindings,
} from '../../../src/core/freshContext/assignment';
import { validateHandoff } from '../../../src/core/freshContext/handoff';
import { validateResult, type ResultContext } from '../../../src/core/freshContext/result';
import { secretsIn } from '../../../src/core/documents/secrets';
import { verdictOf, type ShapedDocument } from '../../../src/core/documents/verdict';
import { lockSurroundings } from '../../../src/core/locks/lockPath';
import { runId, sampleAssignment, sampleHandoff, sampleOutput, sampleResult } from './samples';

/** A document whose shape was found right. */
const shaped = (value: unknown): ShapedDocument => ({ value, shape: [] });
const otherRun = '11111111-1111-4111-8111-111111111111';

describe('results against their assignment', () => {
  const judge = (change: object, context: Partial<ResultContext> = {}): string =>
    validateResult(shaped({ ...sampleResult(), ...change }), { assignment: sampleAssignment(), ...context }).code;

  it('agree with their assignment', () => {
    assert.deepEqual(validateResult(shaped(sampleResult()), { assignment: sampleAssignment() }), {
      allow: true,
      code: 'OK',
      reason: 'Valid.',
      details: { findings: [] },
    });
  });

  it('are about its run and its task, and keep its worklog', () => {
    assert.equal(judge({ run_id: otherRun }), 'LEDGER_INCONSISTENT');
    assert.equal(judge({ run_id: runId.toUpperCase() }), 'OK');
    assert.equal(judge({ task_id: 'T-3' }), 'LEDGER_INCONSISTENT');
    assert.equal(judge({ worklog_path: 'elsewhere.jsonl' }), 'NON_COMPLIANT');
  });

  it('report every criterion', () => {
    assert.equal(
      judge({ acceptance_check: [{ criterion: 'Another.', status: 'pass', evidence: 'x' }] }),
      'ACCEPTANCE_FAILED',
    );
    assert.equal(
      judge({ acceptance_check: [{ criterion: ' The file links to the first. ', status: 'pass', evidence: 'x' }] }),
      'OK',
    );
    assert.equal(judge({ status: 'failed', acceptance_check: [], notes_for_orchestrator: ['No.'] }), 'OK');
  });

  it('name changes in the lock scope only', () => {
    const change = (resource: string, context: Partial<ResultContext> = {}): string =>
      judge({ changes: [{ resource, action: 'edited' }] }, context);
    for (const resource of ['docs/second', './docs/second/a/b.md', 'docs\\second\\a.md'])
      assert.equal(change(resource), 'OK');
    for (const resource of [
      'docs',
      'docs/second2/a',
      'docs/first/a',
      '/etc/passwd',
      'docs/second/../x',
      '.',
      'docs/second/.git/config',
      'Docs/second/a',
    ])
      assert.equal(change(resource), 'SCOPE_VIOLATION', resource);
    assert.equal(change('/home/me/project/docs/second/a', { roots: ['/home/me/project/'] }), 'OK');
    assert.equal(change('/home/me/project2/docs/second/a', { roots: ['/home/me/project'] }), 'SCOPE_VIOLATION');
    const linked = lockSurroundings(
      { case_insensitive: true },
      { 'docs/second/out': 'src', 'docs/second/plans': 'docs/plans' },
    );
    assert.equal(change('Docs/SECOND/a', { surroundings: linked }), 'OK');
    assert.equal(change('docs/second/out/a', { surroundings: linked }), 'SCOPE_VIOLATION');
    const wide = {
      assignment: {
        ...sampleAssignment(),
        task: { ...sampleAssignment().task, lock_scope: ['.'], forbidden_scope: [] },
      },
    };
    assert.equal(change('anything/at/all', wide), 'OK');
    assert.equal(change('docs/second/plans/PLAN_x.json', { ...wide, surroundings: linked }), 'SCOPE_VIOLATION');
    const forbidden = {
      assignment: { ...sampleAssignment(), task: { ...sampleAssignment().task, lock_scope: ['.'] } },
    };
    assert.equal(change('docs/first/a', forbidden), 'SCOPE_VIOLATION');
  });

  it('hold no secrets, in notes, evidence or worklog', () => {
    const secret = 'password: "correct horse battery"';
    const verdict = validateResult(shaped({ ...sampleResult(), notes_for_orchestrator: ['fine', secret] }));
    assert.equal(verdict.code, 'UNTRUSTED_CONTEXT_BLOCK');
    assert.match(verdict.reason, /\(assignment\)/);
    assert.doesNotMatch(JSON.stringify(verdict), /horse/);
    assert.deepEqual(
      verdict.details.findings.map(({ pointer }) => pointer),
      ['/notes_for_orchestrator/1'],
    );
    assert.equal(
      judge({ changes: [{ resource: 'docs/second/a', action: 'edited', evidence: secret }] }),
      'UNTRUSTED_CONTEXT_BLOCK',
    );
    assert.equal(
      judge({}, { worklog: `{"decision":"x"}\n{"result":"${secret.replaceAll('"', '\\"')}"}\n` }),
      'UNTRUSTED_CONTEXT_BLOCK',
    );
    assert.equal(judge({}, { worklog: '{"decision":"x"}\n' }), 'OK');
  });
});

describe('secrets in text', () => {
  // Put together here, so that no scanner takes this file for a leak.
  const words = (...parts: readonly string[]): string => parts.join('');
  for (const [kind, text] of [
    ['aws', words('AKIA', 'IOSFODNN7EXAMPLE')],
    ['openai', words('sk-', 'proj-abcdEFGH1234ijklMNOP5678')],
    ['anthropic', words('sk-', 'ant-api03-abcdEFGH1234ijklMNOP5678')],
    ['github', words('ghp', '_abcdefghijklmnopqrstuvwxyz0123456789')],
    ['github', words('github', '_pat_abcdefghijklmnopqrstuvwxyz')],
    ['slack', words('xoxb', '-123456789012-abcdefABCDEF')],
    ['jwt', ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'c2lnbmF0dXJl'].join('.')],
    [
      'private_key',
      words('-----BEGIN ', 'RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0123\n-----END ', 'RSA PRIVATE KEY-----'),
    ],
    ['assignment', words('api_', 'key = "abcd-efgh-ijkl"')],
  ] as const) {
    it(`finds ${kind}`, () => {
      assert.deepEqual(secretsIn(`before ${text} after`), [kind]);
      assert.deepEqual(secretsIn(`before ${text} after`), [kind], 'the second time as well');
    });
  }
  it('leaves ordinary and redacted text alone', () => {
    assert.deepEqual(secretsIn('const token = readToken(); risk-assessment; 7 tokens; [redacted:openai]'), []);
  });
});

describe('assignments in their run', () => {
  const judge = (context: Parameters<typeof validateAssignment>[1]): string =>
    validateAssignment(shaped(sampleAssignment()), context).code;
  it('belong to their run, and start when their dependencies are done', () => {
    assert.equal(judge({ run_id: runId, statuses: { 'T-1': 'done', 'T-2': 'todo' } }), 'OK');
    assert.equal(judge({ run_id: otherRun }), 'LEDGER_INCONSISTENT');
    for (const statuses of [{}, { 'T-1': 'in_progress' }, { 'T-1': 'failed' }] as const)
      assert.equal(judge({ statuses }), 'DEPENDENCY_NOT_MET');
  });
  it('keep what may be written and what must not be touched apart, whatever the spelling', () => {
    for (const [lock_scope, forbidden_scope, code] of [
      [['src'], ['src/gen'], 'SCOPE_VIOLATION'],
      [['src/gen'], ['./src/'], 'SCOPE_VIOLATION'],
      [['src'], ['.'], 'SCOPE_VIOLATION'],
      [['src'], ['src2', 'lib', 'lib/x'], 'OK'],
      [['src'], [], 'OK'],
    ] as const) {
      const packet = sampleAssignment();
      const task = { ...packet.task, lock_scope: [...lock_scope], forbidden_scope: [...forbidden_scope] };
      assert.equal(validateAssignment(shaped({ ...packet, task })).code, code, forbidden_scope.join());
    }
  });
});

describe('handoff bundles', () => {
  it('are judged at their own time, when they have one', () => {
    const judge = (now: string): string => validateHandoff(shaped({ ...sampleHandoff(), now })).code;
    assert.equal(validateHandoff(shaped(sampleHandoff())).code, 'OK');
    assert.equal(judge('2026-01-31T20:00:00Z'), 'OK');
    assert.equal(judge('2026-01-31T20:00:01Z'), 'TASK_TIMEOUT');
  });
});

describe('outputs of an orchestrator', () => {
  const judge = (change: object, context: AssignmentContext = {}): readonly string[] => {
    const document = shaped({ ...sampleOutput(), ...change });
    const { code, details } = verdictOf(document.value, orchestratorOutputFindings(document, context));
    return [code, ...details.findings.map(({ pointer }) => pointer)];
  };
  const [delta] = sampleOutput().ledger_delta;
  it('are valid as a whole', () => assert.deepEqual(judge({}, { run_id: runId, statuses: { 'T-1': 'done' } }), ['OK']));
  it('are judged with everything they hold', () => {
    assert.deepEqual(judge({ run_id: otherRun }, { run_id: runId }), ['LEDGER_INCONSISTENT', '/run_id']);
    assert.deepEqual(judge({ run_id: otherRun }), ['LEDGER_INCONSISTENT', '/assignments/0/run_id']);
    assert.deepEqual(judge({ ledger_delta: [{ ...delta, status: 'blocked' }] }), [
      'LEDGER_INCONSISTENT',
      '/ledger_delta/0/status',
    ]);
    const blockers = [{ task_id: 'T-2', code: 'TASK_TIMEOUT', reason: 'Silent.' }];
    assert.deepEqual(judge({ ledger_delta: [{ ...delta, status: 'blocked', timed_out: true }], blockers }), ['OK']);
    assert.deepEqual(judge({ ledger_delta: [{ ...delta, timed_out: true }] }), [
      'INVALID_TRANSITION',
      '/ledger_delta/0/status',
    ]);
    assert.deepEqual(judge({ ledger_delta: [{ ...delta, last_heartbeat_at: 'soon' }] }), [
      'SCHEMA_INVALID',
      '/ledger_delta/0/last_heartbeat_at',
    ]);
    assert.deepEqual(judge({ assignments: [sampleAssignment(), sampleAssignment()] }), [
      'LEDGER_INCONSISTENT',
      '/assignments/1/task/task_id',
    ]);
    assert.deepEqual(judge({}, { statuses: {} }), ['DEPENDENCY_NOT_MET', '/assignments/0/task/dependencies/0']);
    assert.deepEqual(judge({ next_actions: ['password: "correct horse battery"'] }), [
      'UNTRUSTED_CONTEXT_BLOCK',
      '/next_actions/0',
    ]);
    const overlap = [...sampleOutput().active_locks, { task_id: 'T-3', resource: 'docs', active: true }];
    assert.deepEqual(judge({ active_locks: overlap }), ['LOCK_CONFLICT', '/active_locks/1/resource']);
  });
});
