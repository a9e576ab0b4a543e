import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { AgentName } from '../../../contracts/vocabulary/workers';
import { ignoredReason, ignoredStep } from '../../../base/text/ignoredEvidence';
import { commandLine, quotedName, quotedNames, wholeLine } from '../../../base/text/oneLine';
import { revisionLines } from '../../../base/text/revision';
import type { SafeText } from '../../../base/text/marked/safeText';
import { budgetWords, confinementWords } from '../../../base/text/words';
import type { ApprovalSummary } from '../../plan/approvalSummary';
import type { Right } from '../../plan/rights';

type Text = SafeText<'visible'>;

/** All that a person reads before approving a plan. The page and the terminal draw the same sections. */
export interface ApprovalView {
  readonly facts: readonly ApprovalRow[];
  /** The first one is what the plan opens. */
  readonly before: readonly ApprovalSection[];
  readonly tasks: {
    readonly title: string;
    readonly lines: readonly Text[];
    readonly each: readonly {
      readonly task_id: string;
      readonly description: Text;
      readonly rows: readonly ApprovalRow[];
    }[];
  };
  readonly after: readonly ApprovalSection[];
}

export interface ApprovalSection {
  readonly title: string;
  readonly lines: readonly ApprovalLine[];
}

export interface ApprovalLine {
  readonly text: Text;
  readonly isLarge: boolean;
  /** A sentence of ours, in which a command stands in backticks. */
  readonly next?: string;
}

export interface ApprovalRow {
  readonly label: string;
  readonly as: 'text' | 'code' | 'command' | 'lines';
  readonly values: readonly Text[];
}

/** @param extraArguments what the settings of this machine add to the launches of an agent */
export function approvalView(
  summary: ApprovalSummary,
  extraArguments: (agent: AgentName) => readonly string[],
): ApprovalView {
  const { tasks, plan_id, max_parallel, policy, evidence_ignored: by, revision, budget, constraints } = summary;
  const dir = `${executionsDir}/${plan_id}`;
  const amounts = [
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ...(budget.usd === null ? [] : [`${budget.usd} US dollars`]),
  ];
  return {
    facts: [
      row('Plan', 'code', [plan_id]),
      row('Goal', 'code', [summary.goal_id]),
      row('Risk', 'text', [`level ${summary.risk_level} of 3`]),
      row('SHA-256', 'text', [
        `${summary.plan_sha256} of ${summary.as_written ? 'the file as your approval writes it' : 'the approved bytes'}`,
      ]),
    ],
    before: [
      { title: 'What it opens', lines: summary.rights.map(rightLine) },
      ...section(
        'What this revision does',
        revision ? revisionLines(revision).map(([label, text]) => `${label}: ${text}.`) : [],
      ),
    ],
    tasks: {
      title: `${tasks.length} task${tasks.length === 1 ? '' : 's'}`,
      lines:
        max_parallel > 1 ? [wholeLine(`Up to ${max_parallel} of them run at once, on paths that do not overlap.`)] : [],
      each: tasks.map((task) => ({
        task_id: task.task_id,
        description: wholeLine(task.description),
        rows: taskRows(task, task.worker === 'command' ? [] : extraArguments(task.worker)),
      })),
    },
    after: [
      ...section('What confines them', [
        ...confinementLines(summary),
        ...(constraints.length > 0 ? [`Constraints: ${constraints.join(', ')}.`] : []),
      ]),
      ...section(
        'The model policy of this machine',
        policy !== null && tasks.some(({ model }) => model) ? [policy] : [],
      ),
      ...section('The budget', amounts.length > 0 ? [`${amounts.join(', ')}. ${budgetWords(budget.on_exceed)}`] : []),
      ...(by
        ? [
            {
              title: 'The evidence',
              lines: [{ text: wholeLine(ignoredReason(dir, by)), isLarge: false, next: ignoredStep(dir) }],
            },
          ]
        : []),
    ],
  };
}

/** A right as a page and a terminal show it. */
export function rightLine({ text, names, next, weight }: Right): ApprovalLine {
  return {
    text: names ? quotedNames(text, names) : wholeLine(text),
    isLarge: weight === 'large',
    ...(next !== undefined && { next }),
  };
}

function taskRows(task: ApprovalSummary['tasks'][number], extra: readonly string[]): readonly ApprovalRow[] {
  const { argv, intent, model, prompt, validates = [] } = task;
  return [
    row('worker', 'text', [`${task.worker}, at most ${task.max_runtime_seconds} s`]),
    row('work', 'text', intent === null ? [] : [intent]),
    row('model', 'text', model === null ? [] : [model]),
    row('runs', 'command', argv.length > 0 ? [commandLine(argv)] : []),
    row('with the further arguments of your settings', 'command', extra.length > 0 ? [commandLine(extra)] : []),
    row('validates', 'text', validates),
    row('is verified by', 'command', task.verify.map(commandLine)),
    row('may write', 'code', task.paths.map(quotedName)),
    row('never writes', 'code', task.forbidden_paths.map(quotedName)),
    row('is confined by', 'text', [confinementWords[task.confinement]]),
    row('requires', 'text', task.requires),
    row('is given', 'lines', prompt === null ? [] : folded(prompt).split('\n')),
    row('is done when', 'text', task.acceptance_criteria),
  ].filter(({ values }) => values.length > 0);
}

/** Many empty lines as their count, because they push the rest of a text out of sight. */
function folded(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/(?:^[^\S\n]*\n){4,}/gm, (lines) => `\\{${lines.split('\n').length - 1} empty lines}\n`);
}

function confinementLines({ workers, tasks, verify }: ApprovalSummary): readonly string[] {
  const held = ({ confinement, detail }: typeof verify): string =>
    confinement === 'task_sandbox' ? detail : `confined by ${confinementWords[confinement]}. ${detail}`;
  const verifies = tasks.some((task) => task.verify.length > 0);
  const likeVerify = verifies && workers.some((one) => held(one) === held(verify));
  return [
    ...workers.flatMap((one) => [
      `${one.worker}${likeVerify && held(one) === held(verify) ? ' and verify commands' : ''}: ${held(one)}`,
      ...(one.speaks_to === undefined ? [] : [`${one.worker} talks to ${one.speaks_to}.`]),
    ]),
    ...(verifies && !likeVerify ? [`verify commands: ${held(verify)}`] : []),
  ];
}

/** Empty if it has no lines. */
function section(title: string, texts: readonly string[]): readonly ApprovalSection[] {
  return texts.length === 0 ? [] : [{ title, lines: texts.map((text) => ({ text: wholeLine(text), isLarge: false })) }];
}

function row(label: string, as: ApprovalRow['as'], values: readonly (string | Text)[]): ApprovalRow {
  return { label, as, values: values.map((value) => (typeof value === 'string' ? wholeLine(value) : value)) };
}
