import { idPattern, planContractVersion } from '../../../contracts/vocabulary/plan';
import { pathProblems, readWrittenPath } from '../../paths/writtenPath';
import { objectAt, quoted, textAt, valueAt, type JsonObject } from '../../../base/json';
import type { AddPlanFinding } from './judgedTask';

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
export function isUtcTime(value: string): boolean {
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
