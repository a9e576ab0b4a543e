import type { Assignment } from '../../contracts/freshContext';
import { formWords, isBlank, runIdPattern } from '../../contracts/vocabulary/forms';
import { freshContextLimits } from '../../contracts/vocabulary/freshContext';
import { idPattern } from '../../contracts/vocabulary/plan';
import { parseMoment } from '../ledger/time';
import { coveredBy } from '../locks/conflicts';
import { lockPath, lockPathProblems, placedLock, plainSurroundings, type LockSurroundings } from '../locks/lockPath';
import { readClaimedPath } from '../paths/namedPath';
import { reservedFolderOf } from '../paths/reserved';
import { collectFindings, errorLines, type AddFinding, type Finding } from '../documents/finding';
import { listAt, objectsAt, quoted, textAt, valueAt, type JsonObject } from '../../base/json';
import { judgeProposals, memoryMember } from '../memory/proposed';
import { judgeDocument, verdictOf, type ShapedDocument, type Verdict } from '../documents/verdict';
import { judgeSecrets } from '../documents/secrets';
import type { SubagentResult } from '../../contracts/result';
import type { IntegrationRefusal } from '../documents/claim';

export interface ResultContext {
  /** The worker's assignment; without it, scope and criteria are not judged, and ids only by their form. */
  readonly assignment?: Pick<Assignment, 'run_id'> & {
    readonly task: Pick<
      Assignment['task'],
      'task_id' | 'lock_scope' | 'forbidden_scope' | 'acceptance_criteria' | 'worklog_path'
    >;
  };
  readonly surroundings?: LockSurroundings;
  /** Absolute spellings of the workspace root, POSIX, for changes with absolute paths. */
  readonly roots?: readonly string[];
  /** Changes in directories outside the workspace that the worker was given, as the result names them. */
  readonly elsewhere?: readonly string[];
  /** Text of the worklog; absent when it could not be read. */
  readonly worklog?: string;
}

/** Before every integration: whether a worker's result may be integrated. Source: seed 003. */
export function validateResult(document: ShapedDocument, context: ResultContext = {}): Verdict {
  return verdictOf(document.value, resultFindings(document, context));
}

export function resultFindings(document: ShapedDocument, context: ResultContext = {}): readonly Finding[] {
  return judgeDocument(document, (result, report) => {
    judgeIdentity(result, context, report);
    judgeChanges(result, context, report);
    judgeAcceptance(result, context, report);
    if (textAt(result, 'status') !== 'done' && listAt(result, 'notes_for_orchestrator')?.length === 0)
      report('NON_COMPLIANT', '/notes_for_orchestrator', 'A worker that is not done says why in its notes.');
    judgeProposals(valueAt(result, memoryMember), report);
    judgeSecrets(result['notes_for_orchestrator'], '/notes_for_orchestrator', report);
    for (const list of ['changes', 'acceptance_check']) {
      for (const [item, index] of objectsAt(result, list))
        judgeSecrets(item['evidence'], `/${list}/${index}/evidence`, report);
    }
    if (context.worklog !== undefined) judgeSecrets(context.worklog, '/worklog_path', report);
  });
}

function judgeIdentity(result: JsonObject, { assignment }: ResultContext, report: AddFinding): void {
  if (assignment === undefined) {
    judgeOwnIdentity(result, report);
    return;
  }
  const { run_id, task } = assignment;
  if (textAt(result, 'run_id')?.toLowerCase() !== run_id.toLowerCase())
    report('LEDGER_INCONSISTENT', '/run_id', `This result belongs to another run than ${run_id}.`);
  if (textAt(result, 'task_id') !== task.task_id)
    report('LEDGER_INCONSISTENT', '/task_id', `This result is not about task ${quoted(task.task_id)}.`);
  const worklog = textAt(result, 'worklog_path');
  if (worklog !== null && worklog !== task.worklog_path)
    report('NON_COMPLIANT', '/worklog_path', `The worklog had to be written to ${quoted(task.worklog_path)}.`);
}

function judgeOwnIdentity(result: JsonObject, report: AddFinding): void {
  const forms = { run_id: runIdPattern, task_id: idPattern } as const;
  for (const [key, form] of Object.entries(forms)) {
    const id = textAt(result, key);
    if (id === null || isBlank(id) || (new RegExp(form).test(id) && !id.includes('..'))) continue;
    report('SCHEMA_INVALID', `/${key}`, `${quoted(key)} must be ${formWords[form] ?? 'an id'}, not ${quoted(id)}.`);
  }
  const worklog = textAt(result, 'worklog_path');
  if (worklog === null) return;
  if (isBlank(worklog))
    report('MISSING_REQUIRED_INPUT', '/worklog_path', 'The worklog is not named; write the path it was written to.');
  else if (worklog.length > freshContextLimits.worklog_path)
    report(
      'SCHEMA_INVALID',
      '/worklog_path',
      `"worklog_path" must have at most ${freshContextLimits.worklog_path} characters, not ${worklog.length}; shorten it.`,
    );
  const at = textAt(result, 'generated_at');
  if (at !== null && parseMoment(at) === null)
    report('SCHEMA_INVALID', '/generated_at', `${quoted(at)} is no time; write it like 2026-01-31T09:30:00Z.`);
}

/** Every claimed change lies in the lock scope and in no forbidden scope or reserved folder. */
function judgeChanges(result: JsonObject, context: ResultContext, report: AddFinding): void {
  const { assignment, surroundings = plainSurroundings, roots = [], elsewhere = [] } = context;
  const keys = (paths: readonly string[]): ReadonlySet<string> =>
    new Set(
      paths.flatMap((path) => {
        const normal = lockPath(path, surroundings);
        return normal.ok ? [normal.key] : [];
      }),
    );
  const scope = assignment === undefined ? null : keys(assignment.task.lock_scope);
  const forbidden = keys(assignment?.task.forbidden_scope ?? []);
  for (const [change, index] of objectsAt(result, 'changes')) {
    const resource = textAt(change, 'resource');
    if (resource === null || resource === '' || elsewhere.includes(resource)) continue;
    const outside = (why: string): void =>
      report('SCOPE_VIOLATION', `/changes/${index}/resource`, `The change of ${quoted(resource)} ${why}.`);
    const claimed = readClaimedPath(resource, roots);
    const path = claimed.ok ? placedLock(claimed.path, surroundings) : claimed;
    if (!path.ok) {
      outside(`cannot be placed: the path ${lockPathProblems[path.problem]}`);
      continue;
    }
    const reserved = reservedFolderOf(path.path) ?? reservedFolderOf(path.key);
    if (reserved !== null) outside(`lies in ${reserved}, which no task may write`);
    else if (coveredBy(forbidden, path.key)) outside('lies in the forbidden scope of the task');
    else if (scope !== null && !coveredBy(scope, path.key)) outside('lies outside the lock scope of the task');
  }
}

/** With status `done` every criterion is reported, passed, and has evidence. */
function judgeAcceptance(result: JsonObject, { assignment }: ResultContext, report: AddFinding): void {
  if (textAt(result, 'status') !== 'done') return;
  if (listAt(result, 'acceptance_check')?.length === 0) {
    const message = 'A worker that is done reports every criterion; this one reports none.';
    report('ACCEPTANCE_FAILED', '/acceptance_check', message);
  }
  const reported = new Set<string>();
  for (const [check, index] of objectsAt(result, 'acceptance_check')) {
    const criterion = textAt(check, 'criterion') ?? '';
    reported.add(criterionKey(criterion));
    if (textAt(check, 'status') === 'fail')
      report('ACCEPTANCE_FAILED', `/acceptance_check/${index}/status`, `Not met: ${quoted(criterion)}.`);
    else if (isBlank(textAt(check, 'evidence') ?? '-'))
      report('ACCEPTANCE_FAILED', `/acceptance_check/${index}/evidence`, `No evidence for ${quoted(criterion)}.`);
  }
  if (reported.size === 0) return;
  for (const criterion of assignment?.task.acceptance_criteria ?? []) {
    if (!reported.has(criterionKey(criterion)))
      report('ACCEPTANCE_FAILED', '/acceptance_check', `Not reported: ${quoted(criterion)}.`);
  }
}

/**
 * Judges a result before its integration; null: it may be integrated. A secret has been redacted on its way to the
 * disk, so that its placeholder counts as the secret.
 */
export function judgeIntegration(result: SubagentResult, context: ResultContext): IntegrationRefusal | null {
  const redacted = redactedPlaces(result, context.worklog);
  const verdict = redacted ?? validateResult({ value: result, shape: [] }, context);
  if (verdict.allow || verdict.code === 'OK') return null;
  return { code: verdict.code, reason: verdict.reason, findings: errorLines(verdict.details.findings) };
}

function redactedPlaces(result: SubagentResult, worklog: string | undefined): ReturnType<typeof verdictOf> | null {
  const { report, list } = collectFindings();
  const look = (text: string | null | undefined, pointer: string): void => {
    for (const [, kind = ''] of (text ?? '').matchAll(/\[redacted:([a-z_]{1,40})\]/g))
      report('UNTRUSTED_CONTEXT_BLOCK', pointer, `This text held a secret (${kind}), which was replaced on the way.`);
  };
  result.notes_for_orchestrator.forEach((note, index) => look(note, `/notes_for_orchestrator/${index}`));
  result.changes.forEach(({ evidence }, index) => look(evidence, `/changes/${index}/evidence`));
  result.acceptance_check.forEach(({ evidence }, index) => look(evidence, `/acceptance_check/${index}/evidence`));
  look(worklog, '/worklog_path');
  return list.length === 0 ? null : verdictOf(result, list);
}
/** An agent may quote one with numbers, bullets, bold or quotation marks, in one line, or without the full stop. */
export function criterionKey(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’«»]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^ ?(?:(?:[-–•+]|\(?\d{1,3}[.):]|\[[ x]?\]) )+/, '')
    .replace(/[ .;,:!]+$/, '');
  return words === '' ? text.trim() : words.trim();
}
