import { idPattern, planContractVersion } from '../../../contracts/vocabulary/plan';
import { pathProblems, readWrittenPath } from '../../paths/writtenPath';
import { objectAt, quoted, textAt, valueAt, type JsonObject, numberAt } from '../../../base/json';
import type { AddPlanFinding } from './judgedTask';
import { namesNobody } from '../../../contracts/vocabulary/actors';
import { isBlank } from '../../../contracts/vocabulary/forms';

const id = new RegExp(idPattern);

export function judgeId(value: string, pointer: string, what: string, report: AddPlanFinding): void {
  const fault = idFault(value);
  if (fault !== null) report('ID_INVALID', pointer, `${what} ${quoted(value)} ${fault}.`);
}

/** Says why a text is no id, in words that follow its name; null: it is one. */
export function idFault(value: string): string | null {
  if (value.includes('..')) return 'holds two dots in a row; ids become file names, so write it without';
  if (!id.test(value))
    return 'must start with a letter or digit and hold at most 80 letters, digits, dots, hyphens and underscores';
  // The id names the evidence folder.
  const place = readWrittenPath(value);
  return place.ok ? null : pathProblems[place.problem];
}

export function isId(value: string): boolean {
  return idFault(value) === null;
}

/** `YYYY-MM-DDTHH:mm:ss[.fff]Z`, and a time that exists. */
function isUtcTime(value: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(value);
  if (match?.[1] === undefined) return false;
  const time = Date.parse(`${match[1]}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(match[1]);
}

/** Contract version, ids and times of the plan itself. */
export function judgeIdentity(plan: JsonObject, report: AddPlanFinding): void {
  const version = valueAt(plan, 'contract_version');
  if (version !== undefined && version !== planContractVersion) {
    const message = `contract_version must be ${quoted(planContractVersion)}, not ${quoted(version)}.`;
    report('UNKNOWN_SCHEMA_VERSION', '/contract_version', message);
  }
  const planId = textAt(plan, 'plan_id');
  if (planId !== null) judgeId(planId, '/plan_id', 'The plan id', report);
  const supersedes = textAt(plan, 'supersedes');
  if (supersedes !== null) {
    judgeId(supersedes, '/supersedes', 'The plan id', report);
    if (supersedes === planId) {
      const message = 'supersedes must name the earlier plan; give this plan an id of its own.';
      report('SUPERSEDES_ITSELF', '/supersedes', message);
    }
  }
  judgeTime(textAt(plan, 'created_at'), '/created_at', report);
  judgeTime(textAt(objectAt(plan, 'approval'), 'approved_at'), '/approval/approved_at', report);
}

function judgeTime(value: string | null, pointer: string, report: AddPlanFinding): void {
  if (value === null || isUtcTime(value)) return;
  report('TIME_INVALID', pointer, `${quoted(value)} is not a time in UTC; write it like 2026-01-31T09:30:00Z.`);
}

const howToApprove = 'Approve it with the command Approve Plan or `mission plan approve`';

/** Status, risk and approval. `now`: ISO-8601. Source: seed 001 section 4. */
export function judgeApproval(plan: JsonObject, now: string, report: AddPlanFinding): void {
  const status = valueAt(plan, 'status');
  if (typeof status === 'string' && status !== 'APPROVED') {
    const how =
      status.trim().toUpperCase() === 'APPROVED'
        ? `status must be exactly APPROVED; this plan says ${quoted(status)}. ${howToApprove}.`
        : `status must be exactly APPROVED; this plan is ${status === '' ? 'without one' : /^[A-Z_]{1,40}$/.test(status) ? status : quoted(status)}. ${howToApprove} when it is ready.`;
    report('STATUS_NOT_APPROVED', '/status', how);
  }
  const level = numberAt(objectAt(plan, 'risk'), 'level');
  if (level !== null && level > 3) {
    const message = `Risk level ${level} is above 3, and nothing above 3 is executed, approved or not. Split off what is risky or leave it out.`;
    report('RISK_TOO_HIGH', '/risk/level', message);
  }
  const approval = objectAt(plan, 'approval');
  if (approval === null) return;
  const missing = ['approved_by', 'approved_at'].filter((key) => isBlank(textAt(approval, key) ?? ''));
  const by = textAt(approval, 'approved_by') ?? '';
  const nobody = !isBlank(by) && namesNobody(by) ? ['a person in approved_by'] : [];
  if (level === 3) {
    const needs = [...(valueAt(approval, 'required') === true ? [] : ['required: true']), ...missing, ...nobody];
    if (needs.length > 0) {
      const message = `Risk level 3 needs an explicit approval; approval lacks ${needs.join(' and ')}. ${howToApprove}.`;
      report('RISK_APPROVAL_MISSING', '/approval', message);
    }
  } else if (status === 'APPROVED' && valueAt(approval, 'required') === true && missing.length > 0) {
    const message = `approval.required is true, but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. ${howToApprove}.`;
    report('APPROVAL_INCOMPLETE', '/approval', message);
  }
  // The contract's own plans say `auto` where none is required.
  if (level !== 3 && status === 'APPROVED' && valueAt(approval, 'required') === true && nobody.length > 0) {
    const message = `${quoted(by)} names no person, and only a person approves. ${howToApprove}.`;
    report('APPROVAL_INCOMPLETE', '/approval/approved_by', message);
  }
  const created = textAt(plan, 'created_at') ?? '';
  const approved = textAt(approval, 'approved_at') ?? '';
  if (isUtcTime(created) && isUtcTime(approved) && secondOf(approved) < secondOf(created)) {
    const message = `The approval (${approved}) is older than the plan (${created}); check that this text is what was approved.`;
    report('APPROVAL_BEFORE_CREATION', '/approval/approved_at', message, 'warning');
  }
  if (isUtcTime(approved) && Date.parse(approved) > Date.parse(now) + clockSkew) {
    const message = `The approval (${approved}) lies in the future (it is ${now.slice(0, 19)}Z); check who wrote it, and the clock.`;
    report('APPROVAL_IN_FUTURE', '/approval/approved_at', message, 'warning');
  }
}

/** Milliseconds that the approving machine's clock may be ahead. */
const clockSkew = 5 * 60_000;

/** Whole seconds since 1970: approvals are written without parts of them, and a plan may be approved at once. */
function secondOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
