import { namesNobody } from '../../contracts/vocabulary/actors';
import { isBlank } from '../../contracts/vocabulary/forms';
import type { RecoveryPermission } from '../../contracts/vocabulary/intents';
import { isObject, numberAt, objectAt, textAt, valueAt, type JsonObject } from '../../base/json';

/** Sets the value at a path of keys; the rest of the document keeps its bytes. */
export interface DocumentEdit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

export interface ApprovalDecision {
  readonly approved_by: string;
  /** ISO-8601 UTC. */
  readonly approved_at: string;
  readonly note: string | null;
  /** Recovery permissions that the person ticked; null: those of the plan, else none. */
  readonly recovery_allow: readonly RecoveryPermission[] | null;
}

/**
 * The edits that approve a plan. An approved plan gets none, because it is immutable: only a record
 * is added. A value that is no object gets none, because it cannot be approved.
 */
export function approvalEdits(plan: unknown, decision: ApprovalDecision): readonly DocumentEdit[] {
  if (!isObject(plan) || isApproved(plan)) return [];
  return [
    { path: ['status'], value: 'APPROVED' },
    ...recoveryEdits(plan, decision),
    ...approvalFieldEdits(plan, decision),
  ];
}

/** Returns whether the file says who approved it and when, where it has to: without that no approval counts. */
function isApproved(plan: JsonObject): boolean {
  if (valueAt(plan, 'status') !== 'APPROVED') return false;
  const approval = objectAt(plan, 'approval');
  const required = valueAt(approval, 'required') === true;
  if (numberAt(objectAt(plan, 'risk'), 'level') === 3 && !required) return false;
  const by = textAt(approval, 'approved_by') ?? '';
  return !required || !(namesNobody(by) || isBlank(textAt(approval, 'approved_at') ?? ''));
}

function recoveryEdits(plan: JsonObject, decision: ApprovalDecision): readonly DocumentEdit[] {
  const execution = objectAt(plan, 'execution');
  const recovery = valueAt(execution, 'recovery');
  if (execution === null || (recovery !== undefined && !isObject(recovery))) return [];
  const declared = valueAt(recovery, 'allow');
  if (declared !== undefined && decision.recovery_allow === null) return [];
  const value = decision.recovery_allow ?? [];
  return recovery === undefined
    ? [{ path: ['execution', 'recovery'], value: { allow: [...value] } }]
    : [{ path: ['execution', 'recovery', 'allow'], value: [...value] }];
}

function approvalFieldEdits(plan: JsonObject, decision: ApprovalDecision): readonly DocumentEdit[] {
  const approval = objectAt(plan, 'approval');
  const fields: Record<string, unknown> = { approved_by: decision.approved_by, approved_at: decision.approved_at };
  if (decision.note !== null) fields['note'] = decision.note;
  const required = valueAt(approval, 'required');
  // Risk level 3 needs an explicit approval, and this is one.
  const mustBeRequired = numberAt(objectAt(plan, 'risk'), 'level') === 3;
  if (approval === null) return [{ path: ['approval'], value: { required: mustBeRequired, ...fields } }];
  if (typeof required !== 'boolean' || (mustBeRequired && !required)) fields['required'] = mustBeRequired;
  return Object.entries(fields).map(([key, value]) => ({ path: ['approval', key], value }));
}
