import type { Outstanding } from '../../contracts/record/changeEvidence';
import { withoutEnd } from '../../base/text/plainLine';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import type { ExecutionHeader, HumanDecision } from '../../contracts/record/header';
import type { AttemptEvidence, Revision, TaskEvidence, TaskWithAttempts, Undone } from '../../contracts/taskEvidence';
import {
  block,
  cell,
  code,
  commandCell,
  commandSpan,
  list,
  inMarkdown,
  paragraphs,
  table,
  type MarkdownText,
} from '../../base/text/marked/markdown';
import {
  bounded,
  boundedTable,
  onlyValidates,
  deniedWhat,
  milestoneTable,
  orchestrator,
  reasonOf,
  type SummaryFacts,
} from './summaryParts';
import { changes, foreignWords } from './changesPart';
import { clockWords } from '../../base/text/clockWords';
import { fewNamed } from '../../base/text/firstNamed';
import {
  answerText,
  attemptsWords,
  criterionWords,
  othersWords,
  outcomeWords,
  shownCode,
  grantWords,
} from '../../base/text/words';
import { revisedWords } from './revisedWords';
import { namedIn } from '../plan/namedFiles';
import { caseSensitive, within } from '../paths/compare';
import { nameOfChange } from '../observation/outstanding';

/** EXECUTION_SUMMARY.md, for a reviewer without Mission Control. */
export function summaryMarkdown(facts: SummaryFacts): MarkdownText {
  const { header, tasks, milestones = [] } = facts;
  const sections = [
    inMarkdown`# Execution of ${header.plan_id}`,
    verdict(header, tasks),
    inMarkdown`## Approved\n\n${approval(header)}`,
    inMarkdown`## Tasks\n\n${taskTable(header, tasks)}`,
    ...milestoneTable(milestones, header),
    ...orchestrator(header),
    inMarkdown`## What changed\n\n${changes(facts)}`,
    inMarkdown`## What was verified, and how\n\n${verification(facts)}`,
    inMarkdown`## Deviations\n\n${list(deviations(header, tasks), 'None recorded.')}`,
    inMarkdown`## Not observed\n\n${list(bounded(notObserved(header, tasks)), 'Nothing is listed as unobserved.')}`,
    inMarkdown`## Check it without this tool\n\n${howToVerify(header)}`,
  ];
  return inMarkdown`${paragraphs(sections)}\n`;
}

function verdict(header: ExecutionHeader, tasks: readonly TaskWithAttempts[]): MarkdownText {
  const { tasks: rows = [], code: why = null, reason = null, tool = { name: '', version: '' } } = header;
  const done = rows.filter((task) => task.status === 'SUCCESS').length;
  const outcome = header.outcome ?? inMarkdown`not ended (${header.state})`;
  const lines = [
    inMarkdown`**${outcome}${header.cancelled ? ', canceled' : ''}**: ${String(done)} of ${String(rows.length)} tasks succeeded.`,
  ];
  const reasons = [...(why === null ? [] : [code(why)]), ...(reason === null ? [] : [reason])];
  if (reasons.length > 0) lines.push(inMarkdown`Reason: ${inMarkdown.join(reasons, ' ')}`);
  lines.push(
    inMarkdown`Started ${header.started_at_utc}${header.ended_at_utc ? inMarkdown`, ended ${header.ended_at_utc}` : ''}.`,
  );
  lines.push(
    header.executor === 'mission'
      ? inMarkdown`Mission ${code(header.mission_id ?? '')}, run by ${tool.name} ${tool.version}.`
      : inMarkdown`Executed outside ${tool.name}; it recorded and checked the sequence (${tool.version}), it did not observe the work.`,
  );
  const carried = tasks.flatMap(({ task_id, carried_from }) => (carried_from ? [{ task_id, ...carried_from }] : []));
  if (header.supersedes) lines.push(inMarkdown`A revision of plan ${code(header.supersedes)}.`);
  const [source] = carried;
  if (source)
    lines.push(
      inMarkdown`Carried over from mission ${code(source.mission_id)} of plan ${code(source.plan_id)}, which did them: ${inMarkdown.join(
        carried.map(({ task_id, evidence_sha256 }) => inMarkdown`${code(task_id)} (evidence ${code(evidence_sha256)})`),
        ', ',
      )}. They were not run again; what they left was found as that evidence says.`,
    );
  const by = header.superseded_by;
  if (by)
    lines.push(
      inMarkdown`Superseded by plan ${code(by.plan_id)}, approved by ${by.decision.actor.name} at ${by.decision.at}: ${withoutEnd(by.decision.reason)}.`,
    );
  const from = header.resumed_from;
  if (from)
    lines.push(
      inMarkdown`Resumed from handoff ${String(from.handoff)} of mission ${code(from.mission_id)} by ${from.decision.actor.name} at ${from.decision.at}: ${withoutEnd(from.decision.reason)}. Tasks done before that were done there; their evidence came with the handoff (bundle ${code(from.bundle_sha256)}).`,
    );
  return paragraphs(lines);
}

function approval(header: ExecutionHeader): MarkdownText {
  const source = {
    journal: 'exactly these bytes were approved on this machine (journal)',
    file: 'the approval is what the plan file itself says',
    none: 'unknown',
  }[header.approval_source ?? 'none'];
  return list(
    [
      inMarkdown`Plan ${code(header.plan_path)}, goal ${code(header.goal_id)}`,
      inMarkdown`SHA-256 of its bytes: ${code(header.plan_sha256)}`,
      inMarkdown`Approved by ${header.approved_by ?? 'an unnamed person'}${header.approved_at ? inMarkdown` at ${header.approved_at}` : ''}, as the file says`,
      ...(header.approved_here
        ? [inMarkdown`Approved here by ${header.approved_here.by} at ${header.approved_here.at}`]
        : []),
      inMarkdown`Source of the approval: ${source}`,
    ],
    '',
  );
}

function taskTable(header: ExecutionHeader, tasks: readonly TaskWithAttempts[]): MarkdownText {
  return table(
    ['Task', 'Status', 'Worker', 'Attempts', 'What', 'Reason'],
    (header.tasks ?? []).map((row) => {
      const task = tasks.find((candidate) => candidate.task_id === row.task_id);
      const shown = shownCode(row);
      return [
        cell(row.task_id),
        row.status ?? 'open',
        workerOf(task),
        attemptsCell(row.attempts, task),
        task?.description ?? '',
        inMarkdown.join([...(shown === null ? [] : [cell(shown)]), ...(task?.reason ? [task.reason] : [])], ' '),
      ];
    }),
  );
}

/** A validation launches no worker, so it is no attempt at the work. */
function attemptsCell(attempts: number, task: TaskWithAttempts | undefined): string {
  const validations = task?.attempts.filter(onlyValidates).length ?? 0;
  return validations === 0 ? String(attempts) : attemptsWords(attempts, validations);
}

function workerOf(task: TaskWithAttempts | undefined): string {
  const launch = task?.attempts.at(-1)?.launches.at(-1);
  const parts = [launch?.worker ?? task?.worker ?? '', launch?.cli_version ?? '', launch?.model ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

function verification({ header, tasks, scratch }: SummaryFacts): MarkdownText {
  const parts: MarkdownText[] = [];
  const ran = attemptsIn(tasks).flatMap(({ task_id, verify }) => verify.map((check) => ({ task_id, ...check })));
  const checks = ran.map(({ task_id, argv, passed, signal, exit_code }) => [
    cell(task_id),
    commandCell(argv),
    passed ? 'passed' : 'NOT PASSED',
    signal ?? String(exit_code ?? 'no exit code'),
  ]);
  parts.push(
    checks.length === 0
      ? inMarkdown`The plan has no \`verify\` command that ran.`
      : table(['Task', 'Command', 'Result', 'Exit'], checks),
    ...neverFailed(tasks),
    ...ownChecks(tasks, scratch),
  );
  parts.push(
    ...ran
      .filter(({ passed, tail }) => !passed && tail !== '')
      .map(({ argv, tail }) => inMarkdown`${commandSpan(argv)}\n\n${block(tail)}`),
  );
  parts.push(...leftByVerify(tasks));
  const { success_criteria: criteria = [] } = header;
  if (criteria.length > 0) {
    parts.push(
      table(
        ['Success criterion', 'Result', 'Detail'],
        criteria.map((entry) => [entry.criterion, criterionWords(entry), entry.detail]),
      ),
    );
  }
  return paragraphs(parts);
}

function attemptsIn(tasks: readonly TaskWithAttempts[]): readonly (AttemptEvidence & { readonly task_id: string })[] {
  return tasks.flatMap(({ task_id, attempts }) => attempts.map((attempt) => ({ ...attempt, task_id })));
}

/** Counts the commands that no run of this mission showed to fail, because a check that cannot fail proves nothing. */
function neverFailed(tasks: readonly TaskWithAttempts[]): readonly MarkdownText[] {
  const ran = attemptsIn(tasks).flatMap(({ verify }) => verify);
  const exitedWith = (isMeant: (code: number) => boolean): ReadonlySet<string> =>
    new Set(ran.flatMap(({ argv, exit_code: code }) => (code !== null && isMeant(code) ? [JSON.stringify(argv)] : [])));
  const failed = exitedWith((code) => code !== 0);
  const passed = [...exitedWith((code) => code === 0)];
  const never = passed.filter((argv) => !failed.has(argv)).length;
  return never === 0
    ? []
    : [
        inMarkdown`Never seen to fail in this mission: ${String(never)} of ${String(passed.length)} commands that passed. A check proves something only where it fails without the work.`,
      ];
}

/**
 * Names files that commands which passed name, because their author could make the commands pass: those that workers
 * wrote, and those that they may have written unseen.
 */
function ownChecks(tasks: readonly TaskWithAttempts[], scratch: readonly string[] = []): readonly MarkdownText[] {
  const attempts = attemptsIn(tasks);
  const passed = attempts.flatMap(({ verify }) => verify.filter((check) => check.passed).flatMap(({ argv }) => argv));
  const named = new Set(namedIn(passed));
  const wrote = attempts.flatMap(({ task_id, changes: all }) =>
    all.flatMap(({ path, attribution }) =>
      attribution === 'worker' && named.has(path) ? [`${path} (${task_id})`] : [],
    ),
  );
  const unseen = [...named].filter((path) => within(path, scratch, caseSensitive));
  const says = (which: string, paths: readonly string[]): readonly MarkdownText[] =>
    paths.length === 0
      ? []
      : [
          inMarkdown`Commands that passed name files ${which}: ${fewNamed([...new Set(paths)])}. Read these first, because a task could make its own check pass.`,
        ];
  return [
    ...says('that tasks of this mission wrote', wrote),
    ...says('in scratch, where tasks may write and nothing is recorded', unseen),
  ];
}

/** Returns what the verify commands wrote, whether it blocked or not. */
function leftByVerify(tasks: readonly TaskWithAttempts[]): readonly MarkdownText[] {
  const rows = attemptsIn(tasks).flatMap(({ task_id, verify_changes }) =>
    (verify_changes?.changes ?? []).map((change) => ({ task_id, change })),
  );
  if (rows.length === 0) return [];
  const body = boundedTable(['Task', 'Path', 'Change', 'Judged'], rows, ({ task_id, change }) => [
    cell(task_id),
    cell(change.path),
    change.kind,
    change.blocks === null ? 'recorded' : `blocked: it ${change.blocks}`,
  ]);
  return [inMarkdown`Written while the verify commands ran:\n\n${body}`];
}

function deviations(header: ExecutionHeader, tasks: readonly TaskWithAttempts[]): MarkdownText[] {
  const found: MarkdownText[] = [];
  if (header.plan_sha256_observed) {
    found.push(inMarkdown`The plan file changed during the mission: found ${code(header.plan_sha256_observed)}.`);
  }
  for (const { path, moved_to } of header.moved_aside ?? [])
    found.push(inMarkdown`${code(path)} stood where evidence is written, and was moved to ${code(moved_to)}.`);
  for (const task of tasks) {
    const label = code(task.task_id);
    for (const attempt of task.attempts) found.push(...attemptDeviations(label, attempt));
    for (const revision of task.metadata_revised ?? []) found.push(revised(label, revision));
    for (const entry of bounded(task.outstanding ?? []))
      found.push(inMarkdown`${label} ${typeof entry === 'string' ? entry : outstanding(entry, task)}`);
    for (const one of task.undone ?? []) found.push(undone(label, one));
    if (task.status === 'SKIPPED') found.push(inMarkdown`${label} was skipped${skip(task)}`);
  }
  return found;
}

function skip({ task_id, skipped, reason }: TaskEvidence): MarkdownText {
  if (!skipped) return inMarkdown`: ${reason ?? 'no reason given'}`;
  const { decision, chosen } = skipped;
  return inMarkdown` by ${decision.actor.name} at ${decision.at}${chosen === task_id ? '' : inMarkdown` with ${code(chosen)}`}: ${decision.reason}`;
}

/** Completes "... by". */
function decided({ actor, reason, at }: HumanDecision): MarkdownText {
  return inMarkdown`${actor.name} at ${at}: ${reason}`;
}

function revised(label: MarkdownText, { before, after, attempt, decision }: Revision): MarkdownText {
  const { actor, reason, at } = decision;
  return inMarkdown`${label} was revised from attempt ${String(attempt)} on by ${actor.kind} ${actor.name} at ${at} (${revisedWords({ before, after })}): ${reason}`;
}

function undone(label: MarkdownText, { attempt, redo, paths, left, decision }: Undone): MarkdownText {
  const what = `attempt ${attempt} was ${redo ? 'put back as it had been' : 'undone'} (${paths.length === 1 ? 'one file' : `${paths.length} files`})`;
  const rest = left.length === 0 ? '' : `; left as they were: ${fewNamed(left.map(({ path }) => path))}`;
  return inMarkdown`${label}: ${what} by ${decided(decision)}${rest}`;
}

function outstanding(entry: Outstanding, { attempts }: TaskWithAttempts): MarkdownText {
  const { settled } = entry;
  const blocked = inMarkdown`${code(nameOfChange(entry))} blocked attempt ${String(entry.attempt)} (it ${entry.why})`;
  if (settled === null) return inMarkdown`${blocked}; no person has accepted it, and it was not found gone.`;
  if (settled.how === 'undone') return inMarkdown`${blocked}; undone by ${decided(settled.decision)}`;
  if (settled.how === 'accepted') return inMarkdown`${blocked}; accepted by ${decided(settled.decision)}`;
  const validated = attempts.some((one) => one.attempt === settled.attempt && onlyValidates(one));
  return inMarkdown`${blocked}; it was as before when ${validated ? 'a validation' : `attempt ${settled.attempt}`} looked.`;
}

function attemptDeviations(label: MarkdownText, attempt: AttemptEvidence): MarkdownText[] {
  const found: MarkdownText[] = [];
  const completed = attempt.intervention?.decision;
  if (completed) found.push(inMarkdown`The result of ${label} was completed by ${decided(completed)}`);
  const { memory } = attempt;
  const saved = (memory?.entries ?? []).filter(({ outcome }) => outcome === 'saved');
  if (memory?.decision)
    found.push(
      inMarkdown`Of what ${label} proposed to remember, ${String(saved.length)} of ${String(memory.entries.length)} saved by ${decided(memory.decision)}`,
    );
  const number = String(attempt.attempt);
  for (const { question, choice, decision, ...given } of attempt.answers ?? [])
    found.push(
      inMarkdown`${label} asked: ${question} Answered by ${decision.actor.name} at ${decision.at}${choice === null ? '' : inMarkdown` (choice ${code(choice)})`}: ${answerText(given)}`,
    );
  if (attempt.decided_by !== null) {
    const { actor, reason, at } = attempt.decided_by;
    found.push(inMarkdown`${label} attempt ${number} was ordered by ${actor.kind} ${actor.name} at ${at}: ${reason}`);
  }
  if (attempt.outcome !== null && attempt.outcome !== 'PASS') {
    found.push(inMarkdown`${label} attempt ${number} ${outcomeWords[attempt.outcome]}: ${reasonOf(attempt)}`);
  }
  const clock = clockWords(attempt.clock_ahead_ms ?? 0);
  if (clock !== null) found.push(inMarkdown`${label} attempt ${number}: ${clock}`);
  const others = attempt.changes.filter(({ by_others }) => by_others);
  if (others.length > 0)
    found.push(
      inMarkdown`${label} ran beside ${othersWords(others.length)}, which its sandbox kept it from making: ${fewNamed(others.map(({ path }) => path))}.`,
    );
  const foreign = attempt.changes.filter(
    ({ attribution, by_others }) => !by_others && attribution !== 'worker' && attribution !== 'verify',
  );
  for (const change of bounded(foreign)) {
    found.push(
      typeof change === 'string'
        ? inMarkdown`${label} ${change}.`
        : inMarkdown`${label} ${code(change.path)} changed during the attempt, and ${foreignWords(change)}.`,
    );
  }
  for (const launch of attempt.launches) {
    if (launch.tested_range_ok === false)
      found.push(inMarkdown`${label} ran ${launch.worker} ${launch.cli_version ?? ''}, outside the tested range.`);
    if (launch.did_not_exit) found.push(inMarkdown`${label} attempt ${number}: ${launch.error ?? ''}`);
  }
  const granted = new Map(
    attempt.launches.flatMap((launch) => launch.granted ?? []).map((one) => [one.decision.at, one]),
  );
  for (const grant of granted.values())
    found.push(inMarkdown`${grant.decision.actor.name} granted ${label} ${grantWords(grant)}, for attempt ${number}.`);
  for (const denial of bounded(attempt.denials)) {
    if (typeof denial === 'string') {
      found.push(inMarkdown`${label} was denied more: ${denial}.`);
      continue;
    }
    found.push(inMarkdown`${label} was denied ${deniedWhat(denial)}: ${denial.reason}`);
  }
  return found;
}

function notObserved(header: ExecutionHeader, tasks: readonly TaskWithAttempts[]): string[] {
  const all = [...(header.not_observed ?? []), ...attemptsIn(tasks).flatMap(({ not_observed }) => not_observed)];
  return [...new Set(all)];
}

function howToVerify(header: ExecutionHeader): MarkdownText {
  return inMarkdown.lines([
    inMarkdown`1. ${code(`sha256sum ${evidenceNames.lockedPlan}`)} gives the plan hash above (letter case does not matter); ${code(`git log -p ${header.plan_path}`)} shows whether the plan was changed later.`,
    inMarkdown`2. Every ${code('TASK_<task_id>.json')} and this file have the SHA-256 that stands in ${code(evidenceNames.header)}.`,
    inMarkdown`3. ${code('header_sha256')} is the SHA-256 of ${code(evidenceNames.header)} with that value's 64 digits replaced by zeros.`,
    inMarkdown`4. Files listed under "What changed" have the SHA-256 given there, unless they were changed later.`,
    inMarkdown`5. With the tool: ${code(`mission evidence verify ${header.plan_id}`)}.`,
  ]);
}
