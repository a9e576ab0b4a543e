import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { approvalSummary } from '../../../src/core/plan/approvalSummary';
import type { ApprovalDecision } from '../../../src/core/plan/approve';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { planTemplate, planTemplateNames } from '../../../src/core/plan/template';
import { planApproval } from '../../../src/engine/plans/approval';
import type { PlannedApproval } from '../../../src/engine/plans/approval';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, withEdits, timelessPlanFiles } from './cases';
import type { Json } from './cases';

const decision: ApprovalDecision = {
  approved_by: 'Ada "L"',
  approved_at: '2026-02-01T10:00:00Z',
  note: null,
  recovery_allow: null,
};
const approve = (content: string | Uint8Array, changes: Partial<ApprovalDecision> = {}): PlannedApproval =>
  planApproval(timelessPlanFiles, checkPlanText(timelessPlanFiles, content, null), null, { ...decision, ...changes });
const textOf = (approval: PlannedApproval): string => {
  assert.ok(approval.ok, JSON.stringify(approval));
  return Buffer.from(approval.bytes).toString('utf8');
};

const draft = `\ufeff{\r
\t"contract_version" : "S2-B-05.v1",\r
\t"plan_id":"d-1", "goal_id":"G",   "created_at":"2026-01-01T00:00:00Z","planner":"p",\r
\t"status":   "DRAFT",\r
\t"risk": {"level":3},\r
\r
\t"scope":{ "allowed": [ "docs_update" ] },\r
\t"tasks": [ {"task_id":"T1","description":"ä \\u00e4 😀","paths":["docs/"],"worker":"command","command":["node"] } ],\r
\t"execution": { },\r
\t"approval":{"required":false},\r
\t"success_criteria":[ ]\r
}\r
\r
`;

describe('approving a plan', () => {
  it('changes the approval and keeps every other byte: mark, line ends, tabs, spaces', () => {
    const text = textOf(approve(draft));
    const restored = text
      .replace('"status":   "APPROVED"', '"status":   "DRAFT"')
      .replace(
        '{"required":true, "approved_by": "Ada \\"L\\"", "approved_at": "2026-02-01T10:00:00Z"}',
        '{"required":false}',
      )
      .replace(/\{\s*"recovery": \{\s*"allow": \[[^\]]*\]\s*\}\s*\}/, '{ }');
    assert.equal(restored, draft);
    assert.doesNotMatch(text.slice(1), /[^\r]\n/);
  });

  it('adds lines to what stands on lines, and nothing to one line but itself', () => {
    const unapproved = withEdits(basePlan, [
      ['/status', 'DRAFT'],
      ['/approval', { required: true }],
      ['/execution', { mode: 'sequential' }],
    ]);
    for (const indent of [2, 4, '\t']) {
      const text = textOf(approve(JSON.stringify(unapproved, null, indent)));
      assert.equal(text, JSON.stringify(JSON.parse(text), null, indent));
    }
    const line = textOf(approve(JSON.stringify(unapproved)));
    assert.equal(line.replaceAll(': ', ':'), JSON.stringify(JSON.parse(line)).replaceAll(': ', ':'));
  });

  it("writes the effective recovery permissions: the human's choice, what the plan says, else none", () => {
    const allowOf = (approval: PlannedApproval): unknown =>
      approval.ok ? approval.plan.execution.recovery?.allow : approval;
    assert.deepEqual(allowOf(approve(draft)), []);
    assert.deepEqual(allowOf(approve(draft, { recovery_allow: ['add_directory'] })), ['add_directory']);
    assert.deepEqual(allowOf(approve(draft, { recovery_allow: [] })), []);
    const declared = draft.replace('"execution": { }', '"execution": {"recovery":{"allow":["fix_permissions"]}}');
    assert.deepEqual(allowOf(approve(declared)), ['fix_permissions']);
    assert.deepEqual(allowOf(approve(declared, { recovery_allow: ['trust_workspace'] })), ['trust_workspace']);
  });

  it('gives the hash of the bytes it returns, keeps `required`, takes a note', () => {
    const approval = approve(
      JSON.stringify(
        withEdits(basePlan, [
          ['/status', 'DRAFT'],
          ['/approval', { required: true }],
        ]),
      ),
      { note: 'as discussed' },
    );
    assert.ok(approval.ok);
    assert.equal(checkPlanText(timelessPlanFiles, approval.bytes, null).plan_sha256, approval.plan_sha256);
    assert.deepEqual(approval.plan.approval, {
      required: true,
      approved_by: 'Ada "L"',
      approved_at: '2026-02-01T10:00:00Z',
      note: 'as discussed',
    });
    assert.equal(approval.changed, true);
  });

  it('leaves an approved plan as it is', () => {
    const text = readFileSync('test/fixtures/plans/PLAN_RGPT-S2-B-04-001.bom-crlf.json');
    const approval = approve(text);
    assert.ok(approval.ok);
    assert.equal(approval.changed, false);
    assert.deepEqual(Buffer.from(approval.bytes), text);
  });

  it('mends an approval that is missing or no object', () => {
    for (const value of [undefined, 'yes'] as const) {
      const approval = approve(
        JSON.stringify(
          withEdits(basePlan, [['/status', 'DRAFT'], value === undefined ? ['/approval'] : ['/approval', value]]),
        ),
      );
      assert.ok(approval.ok, JSON.stringify(approval));
      assert.equal(approval.plan.approval.approved_by, 'Ada "L"');
    }
  });

  it('is refused for what approving does not cure, with positions in the text as it is', () => {
    const plan = (edits: Parameters<typeof withEdits>[1]): string =>
      JSON.stringify(withEdits(basePlan, [['/status', 'DRAFT'], ...edits]), null, 2);
    const refusals: [string | Uint8Array, string][] = [
      [plan([['/risk/level', 4]]), 'RISK_TOO_HIGH'],
      [plan([['/tasks/0/paths', ['/etc']]]), 'PATH_INVALID'],
      [plan([['/execution', 7]]), 'SCHEMA_INVALID'],
      [plan([['/execution/recovery', 7]]), 'SCHEMA_INVALID'],
      ['[]', 'SCHEMA_INVALID'],
      ['{"status": "DRAFT", "status": "DRAFT"}', 'JSON_DUPLICATE_KEY'],
      ['{', 'JSON_SYNTAX'],
      [new Uint8Array([0xff]), 'TEXT_NOT_UTF8'],
    ];
    for (const [content, code] of refusals) {
      const approval = approve(content);
      assert.equal(approval.ok, false, code);
      const finding = approval.findings.find((one) => one.code === code);
      assert.ok(finding?.line !== undefined, `${code}: ${JSON.stringify(approval.findings)}`);
      assert.ok(!approval.findings.some((one) => one.code === 'STATUS_NOT_APPROVED') || code.startsWith('JSON'));
    }
    const nameless = approve(plan([]), { approved_by: '' });
    assert.ok(!nameless.ok);
    const found = nameless.findings.map(({ code, pointer }) => `${code} at ${pointer}`);
    assert.deepEqual(found, ['APPROVAL_INCOMPLETE at /approval', 'SCHEMA_INVALID at /approval/approved_by']);
  });

  it('shows beforehand what will be allowed', () => {
    const { plan, plan_sha256 } = checkPlanText(timelessPlanFiles, JSON.stringify(basePlan), null);
    assert.ok(plan && plan_sha256);
    const summary = approvalSummary(approvedPlanOf(plan, { defaultWorker: 'claude' }), {
      plan_sha256,
      confinementOf: (worker) => ({ confinement: 'none', detail: `${worker} runs as you` }),
      modelOf: () => null,
      speaksTo: () => undefined,
      policy: null,
      networkOf: () => '',
      launchOf: ({ command }) => command,
    });
    const writes = summary.rights.find(({ text }) => text === 'Tasks may write');
    assert.deepEqual(writes?.names, ['docs/notes', 'out']);
    assert.deepEqual(summary.workers, [{ worker: 'command', confinement: 'none', detail: 'command runs as you' }]);
    assert.deepEqual(summary.tasks[0]?.rows.find(({ label }) => label === 'runs')?.values, [['node', '-v']]);
    assert.ok(!summary.rights.some(({ text }) => text.startsWith('May be corrected')));
  });
});

describe('plan templates', () => {
  for (const name of planTemplateNames) {
    it(`${name}: only the approval is missing`, () => {
      const text = planTemplate(name, { plan_id: 'new-1', created_at: '2026-01-01T00:00:00Z', planner: 'Ada' });
      assert.deepEqual(
        checkPlanText(timelessPlanFiles, text, '/ws/docs/plans/PLAN_new-1.json').findings.map(({ code }) => code),
        ['STATUS_NOT_APPROVED'],
      );
      assert.equal(approve(text).ok, true);
    });
  }
});

describe('the plan a mission runs on', () => {
  const planned = (plan: Json): ReturnType<typeof approvedPlanOf> => {
    const check = checkPlanText(timelessPlanFiles, JSON.stringify(plan), null, { defaultWorker: 'codex' });
    assert.ok(check.plan, JSON.stringify(check.findings));
    return approvedPlanOf(check.plan, { defaultWorker: 'codex' });
  };

  it('has every default and normal paths', () => {
    const { tasks, ...plan } = planned(
      withEdits(basePlan, [
        ['/tasks/0/worker'],
        ['/tasks/0/command'],
        ['/tasks/0/paths', ['./docs//notes/', 'docs/notes']],
      ]),
    );
    assert.equal(plan.mode, 'sequential');
    assert.equal(plan.max_parallel, 1);
    assert.equal(plan.on_block, 'recover');
    assert.equal(plan.environment, null);
    assert.deepEqual(plan.recovery_allow, []);
    const [first, second] = tasks;
    assert.ok(first && second);
    assert.deepEqual(
      [
        first.worker,
        first.intent,
        first.paths,
        first.timeout_seconds,
        first.heartbeat_interval_seconds,
        first.max_runtime_seconds,
        first.priority,
        first.writes,
      ],
      ['codex', 'code_generation', ['docs/notes'], 1200, 30, 3600, 'normal', true],
    );
    assert.deepEqual(
      [second.worker, second.intent, second.command, second.depends_on, second.writes],
      ['command', null, ['node', '-v'], ['T1'], true],
    );
  });

  it('writes nothing only where a read-only intent is declared', () => {
    const intents = ['code_review', 'refactor'] as const;
    const writes = intents.map(
      (intent) => planned(withEdits(basePlan, [['/tasks/0/intent', intent]])).tasks[0]?.writes,
    );
    assert.deepEqual(writes, [false, true]);
  });

  it("is RocketGPT's own plan too, in every byte form, with the default worker", () => {
    for (const variant of ['', '.crlf', '.bom-crlf']) {
      const bytes = readFileSync(`test/fixtures/plans/PLAN_RGPT-S2-B-04-001${variant}.json`);
      const check = checkPlanText(timelessPlanFiles, bytes, '/ws/docs/plans/PLAN_RGPT-S2-B-04-001.json', {
        workspaceDir: '/ws',
      });
      assert.ok(check.plan, JSON.stringify(check.findings));
      // The third constraint is one that the runner cannot enforce.
      assert.deepEqual(
        check.findings.map(({ code, pointer }) => [code, pointer]),
        [['CONSTRAINT_UNKNOWN', '/execution/delegation/constraints/2']],
      );
      const plan = approvedPlanOf(check.plan, { defaultWorker: 'claude' });
      assert.deepEqual(
        plan.tasks.map(({ task_id, worker, paths, intent }) => [task_id, worker, paths, intent]),
        [
          ['T1', 'claude', ['docs/contracts'], 'code_generation'],
          ['T2', 'claude', ['.github/tools'], 'code_generation'],
        ],
      );
    }
  });
});
