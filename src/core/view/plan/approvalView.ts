import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { AgentName } from '../../../contracts/vocabulary/workers';
import { ignoredReason, ignoredStep } from '../../../base/text/ignoredEvidence';
import { commandLine, quotedName, quotedNames, wholeLine } from '../../../base/text/oneLine';
import { revisionLines } from '../../../base/text/revision';
import type { SafeText } from '../../../base/text/marked/safeText';
import { confinementWords } from '../../../base/text/words';
import type { ApprovalSummary, ConfinementFact } from '../../plan/approvalSummary';
import type { ShownRow } from '../../plan/fields/field';
import type { Right } from '../../plan/fields/right';
import type { Revision } from '../../../contracts/taskEvidence';
import { revisedWords } from '../../evidence/revisedWords';

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
  readonly as: ShownRow['as'];
  readonly values: readonly Text[];
}

/** @param extraArguments what the settings of this machine add to the launches of an agent */
export function approvalView(
  summary: ApprovalSummary,
  extraArguments: (agent: AgentName) => readonly string[],
): ApprovalView {
  const { tasks, plan_id, policy, evidence_ignored: by, revision, says } = summary;
  const dir = `${executionsDir}/${plan_id}`;
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
      lines: says.tasks.map(wholeLine),
      each: tasks.map((task) => ({
        task_id: task.task_id,
        description: wholeLine(task.description),
        rows: task.rows.flatMap((shown) => taskRows(shown, extraArguments)),
      })),
    },
    after: [
      ...section('What confines them', [...confinementLines(summary), ...says.confinement]),
      ...section('The model policy of this machine', policy === null ? [] : [policy]),
      ...section('The budget', says.budget),
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

function taskRows(
  { label, as, values, extended }: ShownRow,
  extraArguments: (agent: AgentName) => readonly string[],
): readonly ApprovalRow[] {
  const extra = extended === undefined ? [] : extraArguments(extended);
  return [
    row(
      label,
      as,
      values.flatMap((value) => {
        if (typeof value !== 'string') return [commandLine(value)];
        return as === 'lines' ? folded(value).split('\n') : [as === 'code' ? quotedName(value) : value];
      }),
    ),
    ...(extra.length > 0 ? [row('with the further arguments of your settings', 'command', [commandLine(extra)])] : []),
  ];
}

/** Many empty lines as their count, because they push the rest of a text out of sight. */
function folded(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/(?:^[^\S\n]*\n){4,}/gm, (lines) => `\\{${lines.split('\n').length - 1} empty lines}\n`);
}

function confinementLines({ workers, verify }: ApprovalSummary): readonly string[] {
  const held = ({ confinement, detail }: ConfinementFact): string =>
    confinement === 'task_sandbox' ? detail : `confined by ${confinementWords[confinement]}. ${detail}`;
  const verifying = verify && held(verify);
  return [
    ...workers.flatMap((one) => [
      `${one.worker}${held(one) === verifying ? ' and verify commands' : ''}: ${held(one)}`,
      ...(one.speaks_to === undefined ? [] : [`${one.worker} talks to ${one.speaks_to}.`]),
    ]),
    ...(verifying === undefined || workers.some((one) => held(one) === verifying)
      ? []
      : [`verify commands: ${verifying}`]),
  ];
}

/** Empty if it has no lines. */
function section(title: string, texts: readonly string[]): readonly ApprovalSection[] {
  return texts.length === 0 ? [] : [{ title, lines: texts.map((text) => ({ text: wholeLine(text), isLarge: false })) }];
}

function row(label: string, as: ApprovalRow['as'], values: readonly (string | Text)[]): ApprovalRow {
  return { label, as, values: values.map((value) => (typeof value === 'string' ? wholeLine(value) : value)) };
}

/** `timeout_seconds 60 -> 600 from attempt 2 on, by Ada: the build takes longer`. */
export function revisionText(revision: Revision): string {
  const { actor, reason } = revision.decision;
  const who = actor.kind === 'human' ? actor.name : `the ${actor.kind} ${actor.name}`;
  return `${revisedWords(revision)} from attempt ${revision.attempt} on, by ${who}: ${reason}`;
}
