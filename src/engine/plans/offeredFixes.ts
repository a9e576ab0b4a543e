import { findingMeanings, type FindingCode } from '../../contracts/vocabulary/codes/findings';
import { isObject, pointerTokens } from '../../base/json';
import type { Finding } from '../../core/documents/finding';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { judgePlan, type JudgeOptions } from '../../core/plan/judgePlan';
import { fixTable } from '../../core/plan/fixTable';
import { mendedPlan, type FixCommand, type FixPath, type Mended, type PlanFix } from '../../core/plan/fixes/planFix';

export interface OfferedFixes {
  readonly finding: Finding;
  readonly edits: readonly PlanFix[];
  readonly command: FixCommand | null;
}

/** So many findings at most get fixes in one call, because people read no more at one place. */
const atOnce = 10;

/** Offers a fix only if it mends its finding and causes no error elsewhere. */
export function offeredFixes(
  plan: unknown,
  findings: readonly Finding[],
  options: JudgeOptions,
): readonly OfferedFixes[] {
  const findingsOf = (value: unknown): readonly Finding[] => editorFindings(value, judgePlan(value, options));
  let found: readonly Finding[] | null = null;
  const mending = (finding: Finding, fix: PlanFix): boolean =>
    mends(finding, (found ??= findingsOf(plan)), findingsOf(mendedPlan(plan, fix.edits)));
  return findings.slice(0, atOnce).map((finding) => {
    const { fixes, command } = proposed(plan, finding, options);
    return { finding, edits: fixes.filter((fix) => mending(finding, fix)), command };
  });
}

/** Returns the fixes that the table of the finding's code proposes, not judged yet. */
function proposed(
  plan: unknown,
  finding: Finding,
  options: JudgeOptions,
): { readonly fixes: readonly PlanFix[]; readonly command: FixCommand | null } {
  const rule = Object.hasOwn(findingMeanings, finding.code) ? fixTable[finding.code as FindingCode] : 'none';
  if (rule === 'none' || !isObject(plan)) return { fixes: [], command: null };
  if (typeof rule !== 'function') return { fixes: [], command: rule.command };
  const found = placeOf(plan, finding.pointer);
  if (found === null) return { fixes: [], command: null };
  const mended: Mended = {
    ...found,
    plan,
    message: finding.message,
    fileId: /(?:^|\/)docs\/plans\/PLAN_([^/]+)\.json$/.exec(options.path ?? '')?.[1] ?? null,
    workspaceDir: options.workspaceDir?.replace(/\/+$/, '') ?? null,
    now: `${options.now.slice(0, 19)}Z`,
  };
  return { fixes: rule(mended), command: null };
}

function mends({ code, message }: Finding, before: readonly Finding[], after: readonly Finding[]): boolean {
  const same = (list: readonly Finding[]): number =>
    list.filter((one) => one.code === code && one.message === message).length;
  const known = same(before);
  // Findings of the schema or the disk are not judged here.
  if (known > 0 && same(after) >= known) return false;
  const left = errorsByCode(before);
  return [...errorsByCode(after)].every(([one, count]) => count <= (left.get(one) ?? 0));
}

function errorsByCode(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code, severity } of findings) if (severity === 'error') counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** Null: the plan has nothing at the pointer, so this text is not the one that was judged. */
function placeOf(plan: unknown, pointer: string): { readonly path: FixPath; readonly value: unknown } | null {
  const path: (string | number)[] = [];
  let value: unknown = plan;
  for (const token of pointerTokens(pointer)) {
    const key = Array.isArray(value) ? Number(token) : token;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    path.push(key);
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return { path, value };
}
