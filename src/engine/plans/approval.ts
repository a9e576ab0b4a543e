import type { Plan } from '../../contracts/plan';
import { approvalEdits, type ApprovalDecision } from '../../core/plan/approve';
import { secretsIn } from '../../core/documents/secrets';
import type { Finding } from '../../core/documents/finding';
import { checkPlanText, type PlanCheck, type PlanCheckOptions } from './check';
import type { PlanFiles } from '../ports/plans';

export type PlannedApproval =
  | {
      readonly ok: true;
      /** The bytes to write; unchanged when the plan was approved already (`changed` is false). */
      readonly bytes: Uint8Array;
      readonly changed: boolean;
      /** Digest of `bytes`, for the journal. */
      readonly plan_sha256: string;
      readonly plan: Plan;
      /** Warnings that remain. */
      readonly findings: readonly Finding[];
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Errors beyond status and approval refuse it. Write with `files.write(path, bytes, check.plan_sha256)`. */
export function planApproval(
  files: PlanFiles,
  check: PlanCheck,
  path: string | null,
  decision: ApprovalDecision,
  options: PlanCheckOptions = {},
): PlannedApproval {
  const { bytes, text } = check;
  const textIsSound = !text.findings.some(({ severity }) => severity === 'error');
  if (bytes === null || text.value === undefined || !textIsSound) return { ok: false, findings: check.findings };
  const edits = approvalEdits(text.value, decision);
  const secret = edits.length === 0 ? [] : secretFindings(decision);
  if (secret.length > 0) return { ok: false, findings: secret };
  const after =
    edits.length === 0 ? check : checkPlanText(files, files.edit(bytes, edits), path, { ...options, ...check.disk });
  if (after.plan === null || after.bytes === null || after.plan_sha256 === null) {
    return { ok: false, findings: remaining(check, after) };
  }
  return {
    ok: true,
    bytes: after.bytes,
    changed: edits.length > 0,
    plan_sha256: after.plan_sha256,
    plan: after.plan,
    findings: after.findings,
  };
}

/** Judges a draft as if a person approved it now. @param now ISO-8601 */
export function asApproved(
  files: PlanFiles,
  check: PlanCheck,
  path: string | null,
  now: string,
  options: PlanCheckOptions,
): PlannedApproval {
  const decision = { approved_by: 'the person who approves', approved_at: now, note: null, recovery_allow: null };
  return planApproval(files, check, path, decision, options);
}

/** Refuses secrets, because the plan is kept in clear text, and a redacted name would name no person. */
function secretFindings({ approved_by, note }: ApprovalDecision): readonly Finding[] {
  return [
    { pointer: '/approval/approved_by', what: 'The name of who approves', text: approved_by },
    { pointer: '/approval/note', what: 'The note of the approval', text: note ?? '' },
  ].flatMap(({ pointer, what, text }) => {
    const kinds = secretsIn(text);
    const message = `${what} looks like a secret (${kinds.join(', ')}). Nothing was written; repeat it without, and replace the key where it is valid.`;
    return kinds.length === 0 ? [] : [{ code: 'SECRET_IN_APPROVAL', severity: 'error', pointer, message } as const];
  });
}

/** Errors that approving does not remove, at their present places; errors that it would add come last. */
function remaining(before: PlanCheck, after: PlanCheck): readonly Finding[] {
  const key = ({ code, pointer }: Finding): string => `${code} ${pointer}`;
  const left = new Set(after.findings.map(key));
  const known = new Set(before.findings.map(key));
  return [
    ...before.findings.filter((finding) => left.has(key(finding))),
    ...after.findings.filter((finding) => !known.has(key(finding))),
  ];
}
