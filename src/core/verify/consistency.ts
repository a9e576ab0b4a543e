import type { ExecutionHeader } from '../../contracts/record/header';
import type { ChangeEvidence } from '../../contracts/record/changeEvidence';
import type { AttemptEvidence, TaskEvidence } from '../../contracts/taskEvidence';
import { namesNobody } from '../../contracts/vocabulary/actors';
import { evidenceNames, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';
import { isLegalEdge, isOver } from '../execution/envelope';
import { concernsTasks } from '../mission/evidence/successCriteria';
import { changedSince, collected, otherDigest, type EvidenceFacts } from './facts';
import {
  evidenceFinding,
  sameDigest,
  type EvidenceFinding,
  type EvidenceFindingCode,
} from '../../contracts/vocabulary/codes/evidenceFindings';
import { goneIn } from '../../base/foldChanges';
import { blocks } from '../observation/attribute';
import { placeKey, undoes } from '../observation/outstanding';

const name = evidenceNames.header;

export function isTerminal({ state }: ExecutionHeader): boolean {
  return isOver(state);
}

/** Compares the header with the task files: digests, statuses, and completeness against the plan's tasks. */
export function checkTasks(facts: EvidenceFacts, planned: readonly string[] | null): EvidenceFinding[] {
  const { header, tasks } = facts;
  const findings: EvidenceFinding[] = [];
  const found = (code: EvidenceFindingCode, file: string, message: string, pointer = ''): void => {
    findings.push(evidenceFinding(code, file, message, pointer));
  };
  const rows = header.tasks ?? [];
  const known = planned ?? rows.map((row) => row.task_id);
  for (const taskId of known) {
    if (!rows.some((row) => row.task_id === taskId))
      found('STATE_INCONSISTENT', name, `Task ${taskId} of the plan is missing in the header.`, '/tasks');
    if (!tasks.has(taskId) && isTerminal(header))
      found('TASK_FILE_MISSING', taskFile(taskId), `Task ${taskId} has no evidence although the mission has ended.`);
  }
  for (const taskId of tasks.keys())
    if (!known.includes(taskId))
      found('TASK_FILE_UNEXPECTED', taskFile(taskId), `The locked plan has no task ${taskId}.`);
  rows.forEach((row, index) => {
    const pointer = `/tasks/${String(index)}`;
    if (planned !== null && !planned.includes(row.task_id))
      found('STATE_INCONSISTENT', name, `The locked plan has no task ${row.task_id}.`, pointer);
    const file = tasks.get(row.task_id);
    const fileName = taskFile(row.task_id);
    if (file === undefined || row.evidence_sha256 === null) {
      if (file !== undefined && isTerminal(header))
        found('TASK_DIGEST_MISSING', name, `The header has no digest of ${fileName}.`, pointer);
      if (file === undefined && row.evidence_sha256 !== null && !isTerminal(header))
        found('TASK_FILE_MISSING', fileName, 'The header has a digest of this file, but it is gone.');
      return;
    }
    const changed = changedSince(facts, fileName, file.sha256, row.evidence_sha256);
    findings.push(...changed);
    if (changed.length === 0 && file.evidence !== null) findings.push(...checkTask(header, row, file.evidence));
  });
  return findings;
}

function checkTask(
  header: ExecutionHeader,
  row: NonNullable<ExecutionHeader['tasks']>[number],
  evidence: TaskEvidence,
): EvidenceFinding[] {
  const { findings, report: mismatch } = collected('TASK_STATUS_MISMATCH', taskFile(row.task_id));
  if ((evidence.status ?? null) !== row.status)
    mismatch(`The header says ${row.status ?? 'open'}, the file ${evidence.status ?? 'open'}.`, '/status');
  // In a run that was handed over, an earlier mission may have done the task.
  const sameRun = header.resumed_from !== undefined && (evidence.run_id ?? null) === (header.run_id ?? undefined);
  if (!sameRun && evidence.mission_id !== undefined && evidence.mission_id !== (header.mission_id ?? null))
    mismatch('The evidence is of another mission.', '/mission_id');
  if (evidence.plan_sha256 !== undefined && !sameDigest(evidence.plan_sha256, header.plan_sha256))
    mismatch('The evidence is of another plan hash.', '/plan_sha256');
  const attempts = evidence.attempts ?? [];
  if (attempts.length !== row.attempts)
    mismatch(
      `The header counts ${String(row.attempts)} attempts, the file has ${String(attempts.length)}.`,
      '/attempts',
    );
  attempts.forEach((attempt, index) => {
    if (attempt.attempt !== index + 1)
      mismatch('Attempts are not numbered 1, 2, 3.', `/attempts/${String(index)}/attempt`);
    const policy = attempt.model_selection?.policy_sha256;
    // Attempts from before a handoff were made under the policy of another machine.
    if (policy !== undefined && header.resumed_from === undefined && !sameDigest(policy, header.policy_sha256 ?? ''))
      mismatch('The attempt was made under another model policy.', `/attempts/${String(index)}/model_selection`);
    if (index > 0 && attempt.decided_by === null && attempt.because === undefined)
      mismatch('The name of who ordered this further attempt is missing.', `/attempts/${String(index)}/decided_by`);
  });
  for (const [message, pointer] of changeContradictions(evidence)) mismatch(message, pointer);
  if (evidence.skipped !== undefined && evidence.status !== 'SKIPPED')
    mismatch('A name of who skipped it is there, but it is not SKIPPED.', '/skipped');
  const last = attempts.at(-1);
  if (evidence.status === 'SUCCESS' && last !== undefined) {
    const pointer = `/attempts/${String(attempts.length - 1)}`;
    if (last.outcome !== 'PASS') mismatch('SUCCESS although the last attempt did not PASS.', `${pointer}/outcome`);
    if (last.verify.some((check) => !check.passed))
      mismatch('SUCCESS although a verify command did not pass.', `${pointer}/verify`);
    if (last.changes.some((change) => change.violation !== null))
      mismatch('SUCCESS although a change violated the scope.', `${pointer}/changes`);
  }
  if (
    evidence.status === 'SUCCESS' &&
    typeof evidence.plan_sha256_observed === 'string' &&
    !sameDigest(evidence.plan_sha256_observed, header.plan_sha256)
  ) {
    mismatch('SUCCESS although the plan was found changed.', '/plan_sha256_observed');
  }
  return findings;
}

export function checkStates(facts: EvidenceFacts): EvidenceFinding[] {
  const { header, tasks: files, summary_sha256 } = facts;
  const { findings, report: wrong } = collected('STATE_INCONSISTENT', name);
  const { outcome = null, state } = header;
  if (!isTerminal(header)) {
    const message = `The mission has not ended (${state}): its evidence is not complete yet.`;
    findings.push(evidenceFinding('MISSION_OPEN', name, message, '/state'));
    if (outcome !== null) wrong(`Outcome ${outcome} in state ${state}.`, '/outcome');
  } else {
    if (outcome === null) wrong(`State ${state} without an outcome.`, '/outcome');
    if (state !== 'REPORTED' && outcome !== state) wrong(`Outcome ${outcome ?? 'none'} in state ${state}.`, '/outcome');
    if (header.ended_at_utc === undefined || header.ended_at_utc === null)
      wrong('The mission has ended but the header says no time.', '/ended_at_utc');
  }
  findings.push(...checkHistory(header, outcome));
  const tasks = header.tasks ?? [];
  if (outcome === 'COMPLETED') {
    for (const { task_id, status } of tasks) {
      if (status === 'SUCCESS') continue;
      const by = files.get(task_id)?.evidence?.skipped?.decision.actor;
      if (status !== 'SKIPPED') wrong(`COMPLETED although task ${task_id} is ${status ?? 'open'}.`, '/outcome');
      else if (by?.kind !== 'human' || namesNobody(by.name))
        wrong(
          `COMPLETED although task ${task_id} is SKIPPED and its evidence names no person who skipped it.`,
          '/outcome',
        );
    }
    if (tasks.length > 0 && !tasks.some(({ status }) => status === 'SUCCESS'))
      wrong('COMPLETED although no task succeeded.', '/outcome');
    if (header.cancelled === true) wrong('COMPLETED and cancelled.', '/cancelled');
    if (typeof header.plan_sha256_observed === 'string')
      wrong('COMPLETED although the plan was found changed.', '/plan_sha256_observed');
  }
  if (outcome === 'FAILED' && (header.code ?? null) === null && (header.reason ?? null) === null)
    wrong('FAILED without a code or a reason.', '/reason');
  const statuses =
    outcome === 'COMPLETED'
      ? ['completed']
      : outcome === 'FAILED'
        ? [header.cancelled === true ? 'cancelled' : 'failed']
        : ['planned', 'running', 'paused', 'blocked'];
  if (header.status !== undefined && !statuses.includes(header.status))
    wrong(`Status ${header.status} does not go with outcome ${outcome ?? 'none'}.`, '/status');
  const skipped = tasks.some(({ status }) => status === 'SKIPPED');
  (header.success_criteria ?? []).forEach(({ criterion, result }, index) => {
    if (outcome !== 'COMPLETED') return;
    const disagree = (message: string): void => {
      findings.push(evidenceFinding('CRITERIA_INCONSISTENT', name, message, `/success_criteria/${String(index)}`));
    };
    const accepted = [...files.values()].flatMap(({ evidence }) =>
      (evidence?.outstanding ?? []).flatMap(({ settled }) =>
        settled?.how === 'accepted' ? [settled.decision.actor.name] : [],
      ),
    );
    if (result === 'met' && criterion === 'no_scope_violation' && accepted.length > 0)
      disagree(`"${criterion}" is recorded as met although ${[...new Set(accepted)].join(' and ')} accepted changes.`);
    if (result === 'unmet') disagree(`COMPLETED although "${criterion}" is unmet.`);
    if (result === 'met' && skipped && concernsTasks(criterion))
      disagree(`"${criterion}" is recorded as met although tasks were skipped.`);
  });
  if (!header.summary) {
    if (state === 'REPORTED')
      findings.push(evidenceFinding('SUMMARY_MISSING', name, 'REPORTED without a digest of the summary.', '/summary'));
  } else if (summary_sha256 === null) {
    const gone = 'The header has a digest of the summary, but the file is gone.';
    findings.push(evidenceFinding('SUMMARY_MISSING', evidenceNames.summary, gone));
  } else {
    const changed = 'The summary was changed after it was written.';
    const finding = evidenceFinding('SUMMARY_DIGEST_MISMATCH', evidenceNames.summary, changed);
    findings.push(...otherDigest(facts, finding, summary_sha256, header.summary.sha256));
  }
  return findings;
}

function checkHistory(header: ExecutionHeader, outcome: 'COMPLETED' | 'FAILED' | null): EvidenceFinding[] {
  const history = (header.state_history ?? []).map((entry) => entry.state);
  const wrong = (message: string): EvidenceFinding[] => [
    evidenceFinding('STATE_INCONSISTENT', name, message, '/state_history'),
  ];
  if (history.at(-1) !== header.state)
    return wrong(`The state is ${header.state}, the history ends with ${history.at(-1) ?? 'nothing'}.`);
  const isLegal = history.every((state, index) => {
    const before = history[index - 1];
    return before === undefined ? state === 'RECEIVED' : isLegalEdge(before, state);
  });
  if (!isLegal) return wrong(`Not the order of the execution envelope: ${history.join(', ')}.`);
  const endState = history.find((state) => state === 'COMPLETED' || state === 'FAILED');
  return endState === undefined || endState === outcome
    ? []
    : wrong(`The history says ${endState}, the outcome ${outcome ?? 'none'}.`);
}

/** `[sentence, pointer]`. A doubt accuses no worker; success needs each blocking change gone or accepted. */
export function changeContradictions(evidence: TaskEvidence): readonly (readonly [message: string, pointer: string])[] {
  const attempts = evidence.attempts ?? [];
  return attempts.flatMap((attempt, index) =>
    attempt.changes.flatMap((change, place) => {
      const message =
        misattributed(change) ??
        (evidence.status === 'SUCCESS' && index === attempts.length - 1 ? unsettled(evidence, attempt, change) : null);
      return message === null ? [] : [[message, `/attempts/${index}/changes/${place}`] as const];
    }),
  );
}

/** A worker's doubtful change waited in its layer. */
const mayDoubt: ReadonlySet<string> = new Set(['unattributed', 'worker'] satisfies ChangeEvidence['attribution'][]);

function misattributed(change: ChangeEvidence): string | null {
  const { path, attribution, in_scope, violation, doubt, by_others, relied_on } = change;
  if (doubt !== undefined && (!mayDoubt.has(attribution) || in_scope || violation !== null))
    return `${path} is recorded as a doubt, and also as attributed, as in scope or as a violation.`;
  if (by_others && (attribution !== 'external_change' || violation !== null))
    return `${path} is recorded as made by others, and also held against a worker.`;
  if (relied_on !== undefined && !by_others) return `${path} is recorded as relied on, but not as made by others.`;
  return null;
}

/** An acceptance covers the bytes that a person was shown. */
function unsettled(evidence: TaskEvidence, attempt: AttemptEvidence, change: ChangeEvidence): string | null {
  if (!blocks(change) || isLeftover(attempt, change)) return null;
  const settled = (evidence.outstanding ?? []).some((entry) =>
    entry.settled?.how === 'accepted'
      ? placeKey(entry) === placeKey(change) && sameDigest(entry.found_sha256 ?? '', change.after_sha256 ?? '')
      : goneIn(entry) === attempt.attempt && undoes(change, entry),
  );
  return settled
    ? null
    : `SUCCESS although no record says that a person accepted ${change.path}, which blocks, or put it back.`;
}

/** Beside other tasks a file that a verify command left has no known maker; it is recorded, and does not block. */
function isLeftover({ verify_changes }: AttemptEvidence, change: ChangeEvidence): boolean {
  return (verify_changes?.changes ?? []).some(
    (left) => placeKey(left) === placeKey(change) && left.attribution === change.attribution && left.blocks === null,
  );
}
