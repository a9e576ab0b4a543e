import assert from 'node:assert/strict';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { ApprovalSummary, MachineConfinement } from '../../../src/core/plan/approvalSummary';
import { shippedPolicy } from '../../../src/core/policy/shipped';
import { planTemplate } from '../../../src/core/plan/template';
import type { DiskAnswers } from '../../../src/core/plan/judgePlan';
import { approvalOverview } from '../../../src/engine/plans/approvalOverview';
import { planApproval } from '../../../src/engine/plans/approval';
import { checkPlanText, PlanCheck } from '../../../src/engine/plans/check';

/** Summaries of plans that a person is asked to approve, on a machine with a sandbox and on one without. */
export type Change = (plan: Record<string, unknown>, task: Record<string, unknown>) => void;

export const bare: MachineConfinement = {
  wanted: null,
  standing: { kind: 'unavailable', reason: 'There is no bwrap.' },
};
export const sandboxedMachine: MachineConfinement = {
  wanted: null,
  standing: { kind: 'available', means: 'bubblewrap', not_nested: null, no_layers: null },
};

export function summaryOf(change: Change = () => undefined, machine = bare, disk: DiskAnswers = {}): ApprovalSummary {
  const plan = JSON.parse(
    planTemplate('agent', { plan_id: 'p', created_at: '2026-01-01T00:00:00Z', planner: 'x' }),
  ) as Record<string, unknown>;
  const [task] = plan['tasks'] as [Record<string, unknown>];
  change(plan, task);
  const check = checkPlanText(planFiles, JSON.stringify(plan), null);
  const approval = planApproval(planFiles, check, null, {
    approved_by: 'Ada',
    approved_at: '2026-01-02T00:00:00Z',
    note: null,
    recovery_allow: null,
  });
  assert.ok(approval.ok, JSON.stringify(check.findings));
  const policy = { ok: true, policy: { policy: shippedPolicy, sha256: 'A'.repeat(64), sources: [] } } as const;
  const looked = new PlanCheck(check.text, check.findings, { policy, ...disk });
  return approvalOverview(looked, approval, { machine });
}

/** An agent with limits on its tools, and nothing that verifies. */
export const harmless: Change = (_, task) => delete task['verify'];
