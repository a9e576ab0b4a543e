import { evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import type { AttemptFacts, HeaderFacts, OutstandingFacts, TaskFacts } from './facts';
import { block, cell, code, inline, list, table } from './markdown';
import { utcSeconds } from './places';

export interface SummaryFacts {
  readonly header: HeaderFacts;
  readonly tasks: readonly TaskFacts[];
}

/** EXECUTION_SUMMARY.md: what a reviewer wants to know, without our tools. */
export function summaryMarkdown({ header, tasks }: SummaryFacts): string {
  const sections = [
    `# Execution of ${inline(header.plan_id)}`,
    verdict(header),
    `## Approved\n\n${approval(header)}`,
    `## Tasks\n\n${taskTable(header, tasks)}`,
    `## What changed\n\n${changes(tasks)}`,
    `## What was verified, and how\n\n${verification(header, tasks)}`,
    `## Deviations\n\n${list(deviations(header, tasks), 'None recorded.')}`,
    `## Not observed\n\n${list(notObserved(header, tasks).map(inline), 'Nothing is listed as unobserved.')}`,
    `## Check it without this tool\n\n${howToVerify(header)}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function verdict(header: HeaderFacts): string {
  const done = header.tasks.filter((task) => task.status === 'SUCCESS').length;
  const outcome = header.outcome ?? `not ended (${header.state})`;
  const lines = [
    `**${outcome}${header.cancelled ? ', cancelled' : ''}**: ${String(done)} of ${String(header.tasks.length)} tasks succeeded.`,
  ];
  if (header.code !== null || header.reason !== null) {
    lines.push(
      `Reason: ${header.code === null ? '' : `${code(header.code)} `}${inline(header.reason ?? '')}`.trimEnd(),
    );
  }
  lines.push(
    `Started ${utcSeconds(header.started_at)}${header.ended_at === null ? '' : `, ended ${utcSeconds(header.ended_at)}`}.`,
  );
  lines.push(
    header.executor === 'mission'
      ? `Mission ${code(header.mission_id ?? '')}, run by ${inline(header.tool.name)} ${inline(header.tool.version)}.`
      : `Executed outside ${inline(header.tool.name)}; it recorded and checked the sequence (${inline(header.tool.version)}), it did not observe the work.`,
  );
  const from = header.resumed_from;
  if (from)
    lines.push(
      `Resumed from handoff ${String(from.handoff)} of mission ${code(from.mission_id)} by ${inline(from.resumed_by)} at ${inline(from.resumed_at)}: ${inline(from.reason.replace(/[.\s]+$/, ''))}. Tasks done before that were done there; their evidence came with the handoff (bundle ${code(from.bundle_sha256)}).`,
    );
  return lines.join('\n\n');
}

function approval(header: HeaderFacts): string {
  const source = {
    journal: 'exactly these bytes were approved on this machine (journal)',
    file: 'the approval is what the plan file itself says',
    none: 'unknown',
  }[header.approval_source ?? 'none'];
  return list(
    [
      `Plan ${code(header.plan_path)}, goal ${code(header.goal_id)}`,
      `SHA-256 of its bytes: ${code(header.plan_sha256)}`,
      `Approved by ${header.approved_by === null ? 'nobody named' : inline(header.approved_by)}${header.approved_at === null ? '' : ` at ${inline(header.approved_at)}`}`,
      `Source of the approval: ${source}`,
    ],
    '',
  );
}

function taskTable(header: HeaderFacts, tasks: readonly TaskFacts[]): string {
  return table(
    ['Task', 'Status', 'Worker', 'Attempts', 'What', 'Reason'],
    header.tasks.map((row) => {
      const task = tasks.find((candidate) => candidate.task_id === row.task_id);
      return [
        cell(row.task_id),
        row.status ?? 'open',
        workerOf(task),
        String(row.attempts),
        inline(task?.description ?? ''),
        [row.code === null ? '' : cell(row.code), inline(task?.reason ?? '')].filter((part) => part !== '').join(' '),
      ];
    }),
  );
}

function workerOf(task: TaskFacts | undefined): string {
  const launch = task?.attempts.at(-1)?.launches.at(-1);
  const parts = [launch?.worker ?? task?.worker ?? '', launch?.cli_version ?? '', launch?.model ?? ''];
  return inline(parts.filter((part) => part !== '').join(' '));
}

function changes(tasks: readonly TaskFacts[]): string {
  const rows = tasks.flatMap((task) =>
    task.attempts.flatMap((attempt) =>
      attempt.changes.map((change) => [
        cell(task.task_id),
        cell(change.path),
        change.kind,
        change.attribution,
        change.violation === null ? (change.in_scope ? 'in scope' : 'out of scope') : inline(change.violation),
        change.after_sha256 === null ? '' : cell(change.after_sha256),
      ]),
    ),
  );
  return rows.length === 0
    ? 'No change was observed.'
    : table(['Task', 'Path', 'Change', 'Attributed to', 'Scope', 'SHA-256 after'], rows);
}

function verification(header: HeaderFacts, tasks: readonly TaskFacts[]): string {
  const parts: string[] = [];
  const checks = tasks.flatMap((task) =>
    task.attempts.flatMap((attempt) =>
      attempt.verify.map((check) => [
        cell(task.task_id),
        cell(check.argv.join(' ')),
        check.passed ? 'passed' : 'NOT PASSED',
        check.signal ?? String(check.exit_code ?? 'no exit code'),
      ]),
    ),
  );
  parts.push(
    checks.length === 0
      ? 'The plan has no `verify` command that ran.'
      : table(['Task', 'Command', 'Result', 'Exit'], checks),
  );
  const failed = tasks.flatMap((task) =>
    task.attempts.flatMap((attempt) => attempt.verify.filter((check) => !check.passed)),
  );
  parts.push(
    ...failed
      .filter((check) => check.tail !== '')
      .map((check) => `${code(check.argv.join(' '))}\n\n${block(check.tail)}`),
  );
  parts.push(...leftByVerify(tasks));
  if (header.success_criteria.length > 0) {
    parts.push(
      table(
        ['Success criterion', 'Result', 'Detail'],
        header.success_criteria.map((entry) => [
          inline(entry.criterion),
          entry.result.replaceAll('_', ' '),
          inline(entry.detail),
        ]),
      ),
    );
  }
  return parts.join('\n\n');
}

/** What ran to verify wrote as well: told, whether it blocked or not. */
function leftByVerify(tasks: readonly TaskFacts[]): readonly string[] {
  const rows = tasks.flatMap((task) =>
    task.attempts.flatMap((attempt) =>
      (attempt.verify_changes?.changes ?? []).map((change) => [
        cell(task.task_id),
        cell(change.path),
        change.kind,
        change.blocks === null ? 'recorded' : `blocked: it ${inline(change.blocks)}`,
      ]),
    ),
  );
  if (rows.length === 0) return [];
  return [`Written while the verify commands ran:\n\n${table(['Task', 'Path', 'Change', 'Judged'], rows)}`];
}

function deviations(header: HeaderFacts, tasks: readonly TaskFacts[]): string[] {
  const found: string[] = [];
  if (header.plan_sha256_observed !== null) {
    found.push(`The plan file changed during the mission: found ${code(header.plan_sha256_observed)}.`);
  }
  for (const task of tasks) {
    const label = code(task.task_id);
    for (const attempt of task.attempts) found.push(...attemptDeviations(label, attempt));
    for (const entry of task.outstanding ?? []) found.push(`${label} ${outstanding(entry)}`);
    if (task.status === 'SKIPPED') found.push(`${label} was skipped: ${inline(task.reason ?? 'no reason given')}`);
  }
  return found;
}

function outstanding({ name, attempt, why, state, accepted_by, gone_in_attempt }: OutstandingFacts): string {
  const blocked = `${code(name)} blocked attempt ${String(attempt)} (it ${inline(why)})`;
  if (state === 'gone')
    return `${blocked}; it was as before when attempt ${String(gone_in_attempt ?? attempt)} looked.`;
  if (accepted_by)
    return `${blocked}; accepted by ${inline(accepted_by.name)} at ${inline(accepted_by.at)}: ${inline(accepted_by.reason)}`;
  return `${blocked}; nobody has accepted it, and it was not found gone.`;
}

function attemptDeviations(label: string, attempt: AttemptFacts): string[] {
  const found: string[] = [];
  const number = String(attempt.attempt);
  if (attempt.decided_by !== null) {
    const { actor, reason, at } = attempt.decided_by;
    found.push(
      `${label} attempt ${number} was ordered by ${actor.kind} ${inline(actor.name)} at ${inline(at)}: ${inline(reason)}`,
    );
  }
  if (attempt.outcome !== null && attempt.outcome !== 'PASS') {
    found.push(
      `${label} attempt ${number} ended in ${attempt.outcome}: ${inline(attempt.reason ?? attempt.code ?? '')}`,
    );
  }
  for (const change of attempt.changes) {
    if (change.attribution !== 'worker' && change.attribution !== 'verify')
      found.push(
        `${label} ${code(change.path)} changed during the attempt, ${change.attribution.replaceAll('_', ' ')}.`,
      );
  }
  for (const launch of attempt.launches) {
    if (launch.tested_range_ok === false)
      found.push(`${label} ran ${launch.worker} ${inline(launch.cli_version ?? '')}, outside the tested range.`);
  }
  for (const denial of attempt.denials) {
    found.push(
      `${label} was denied ${inline(denial.tool ?? 'something')}${denial.path === null ? '' : ` on ${code(denial.path)}`}: ${inline(denial.reason)}`,
    );
  }
  return found;
}

function notObserved(header: HeaderFacts, tasks: readonly TaskFacts[]): string[] {
  return [
    ...new Set([...header.not_observed, ...tasks.flatMap((task) => task.attempts.flatMap((a) => a.not_observed))]),
  ];
}

function howToVerify(header: HeaderFacts): string {
  return [
    `1. ${code(`sha256sum ${evidenceNames.lockedPlan}`)} gives the plan hash above (letter case does not matter); ${code(`git log -p ${header.plan_path}`)} shows whether the plan was changed later.`,
    `2. Every ${code('TASK_<task_id>.json')} and this file have the SHA-256 that stands in ${code(evidenceNames.header)}.`,
    `3. ${code('header_sha256')} is the SHA-256 of ${code(evidenceNames.header)} with that value's 64 digits replaced by zeros.`,
    '4. Files listed under "What changed" have the SHA-256 given there, unless they were changed later.',
    `5. With the tool: ${code(`mission evidence verify ${header.plan_id}`)}.`,
  ].join('\n');
}
