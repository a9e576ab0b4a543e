import type { ApprovalSummary } from '../../core/plan/approvalSummary';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { markup, markupOf, sentence, type Markup } from '../../base/text/markup';
import { commandLine } from '../../base/text/oneLine';
import type { UiText } from '../../base/text/ui';
import { confinementWords } from '../../base/text/words';
import {
  confinementLines,
  constraintsLine,
  hashedBytes,
  ignored,
  lanesLine,
  notConfined,
  permissionLines,
  revised,
} from './approvalLines';

/** What a page asks. */
export interface AskedApproval {
  readonly question: UiText;
  readonly note?: string;
  /** The reason why no dialog was enough; absent: a person asked for the page. */
  readonly because?: readonly string[];
}

/**
 * The whole plan for a person who approves it: markup for the body of a page without scripts. Leaves nothing out and
 * cuts nothing.
 */
export function approvalPage(
  summary: ApprovalSummary,
  asked: AskedApproval,
  extraArguments: (agent: AgentName) => readonly string[],
): Markup {
  return markup.lines([
    markup`<main>`,
    markup`<header>`,
    markup`<h1>${markupOf(asked.question)}</h1>`,
    ...(asked.note === undefined ? [] : [markup`<p>${asked.note}</p>`]),
    markup`<p>Nothing is approved yet. The button below the plan approves it; closing this page leaves it.</p>`,
    ...(asked.because === undefined
      ? []
      : [markup`<p class="because">Read all of it first, because ${asked.because.join('; ')}.</p>`]),
    markup`</header>`,
    ...unconfinedBox(summary),
    facts(summary),
    ...section('What this revision does', revised(summary).map(markupOf)),
    markup`<section><h2>${count(summary.tasks.length, 'task')}</h2>`,
    ...lanesLine(summary).map((line) => markup`<p>${line}</p>`),
    ...summary.tasks.map((task) => taskCard(task, task.worker === 'command' ? [] : extraArguments(task.worker))),
    markup`</section>`,
    ...section('What confines them', [...confinementLines(summary).map(markupOf), ...constraintsLine(summary)]),
    ...section('The model policy of this machine', summary.policy === null ? [] : [summary.policy]),
    ...section('Permissions', permissionLines(summary)),
    ...section('The evidence', ignored(summary).map(markupOf)),
    markup`<p class="end">That is everything.</p>`,
    markup`</main>`,
  ]);
}

function unconfinedBox(summary: ApprovalSummary): readonly Markup[] {
  const lacking = notConfined(summary);
  if (lacking === null) return [];
  return [
    markup`<section class="warning"><h2>Not confined: ${lacking.what}.</h2>`,
    markup`<p>${sentence(lacking.why)}</p>`,
    markup`<p><b>What mends it.</b> ${sentence(lacking.next)}</p></section>`,
  ];
}

function facts(summary: ApprovalSummary): Markup {
  const { tasks } = summary;
  const lines = tasks.reduce((sum, { argv, verify }) => sum + (argv.length > 0 ? 1 : 0) + verify.length, 0);
  return markup.lines([
    markup`<dl class="facts">`,
    ...row('Plan', [markup`<code>${summary.plan_id}</code>`]),
    ...row('Goal', [markup`<code>${summary.goal_id}</code>`]),
    ...row('Risk', [markup`level ${summary.risk_level} of 3`]),
    ...row('Runs', [markup`${count(lines, 'command line')}, each of them below`]),
    ...row('Writes', summary.paths.map(code)),
    ...row('SHA-256', [markup`<code>${summary.plan_sha256}</code> ${hashedBytes(summary)}`]),
    markup`</dl>`,
  ]);
}

/** Shows everything about one task in one place. */
function taskCard(task: ApprovalSummary['tasks'][number], extra: readonly string[]): Markup {
  return markup.lines([
    markup`<article><h3>${task.task_id}</h3>`,
    markup`<p>${task.description}</p>`,
    markup`<dl>`,
    ...row('worker', [markup`${task.worker}, at most ${task.max_runtime_seconds} s`]),
    ...row('work', optional(task.intent)),
    ...row('model', optional(task.model)),
    ...row('runs', task.argv.length > 0 ? [command(task.argv)] : []),
    ...row('with the further arguments of your settings', extra.length > 0 ? [command(extra)] : []),
    ...row('validates', (task.validates ?? []).map(text)),
    ...row('is verified by', task.verify.map(command)),
    ...row('may write', task.paths.map(code)),
    ...row('never writes', task.forbidden_paths.map(code)),
    ...row('is confined by', [text(confinementWords[task.confinement])]),
    ...row('requires', task.requires.map(text)),
    ...row('is given', task.prompt === null ? [] : [block(task.prompt.split(/\r?\n/))]),
    ...row('is done when', task.acceptance_criteria.map(text)),
    markup`</dl></article>`,
  ]);
}

/** Empty if it has no values. */
function row(label: string, values: readonly Markup[]): readonly Markup[] {
  return values.length === 0 ? [] : [markup`<dt>${label}</dt>`, ...values.map((value) => markup`<dd>${value}</dd>`)];
}

/** Empty if it has no lines. */
function section(title: string, lines: readonly (string | Markup)[]): readonly Markup[] {
  if (lines.length === 0) return [];
  return [
    markup`<section><h2>${title}</h2><ul>`,
    ...lines.map((line) => markup`<li>${line}</li>`),
    markup`</ul></section>`,
  ];
}

function command(argv: readonly string[]): Markup {
  return markup`<pre>${commandLine(argv)}</pre>`;
}

function block(lines: readonly string[]): Markup {
  return markup`<pre>${markup.lines(lines)}</pre>`;
}

function code(value: string): Markup {
  return markup`<code>${value}</code>`;
}

function text(value: string): Markup {
  return markup`${value}`;
}

function optional(value: string | null): readonly Markup[] {
  return value === null ? [] : [text(value)];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
