import { cell, code, inMarkdown, table, type MarkdownText, type MarkdownValue } from '../../base/text/marked/markdown';
import type { ExecutionHeader } from '../../contracts/record/header';
import type { AttemptEvidence, TaskWithAttempts } from '../../contracts/taskEvidence';
import type { MilestoneMode } from '../../contracts/vocabulary/plan';
import type { Place } from './places';
import { firstNamed } from '../../base/text/firstNamed';

export interface SummaryFacts {
  readonly header: ExecutionHeader;
  readonly tasks: readonly TaskWithAttempts[];
  readonly milestones?: readonly MilestoneStanding[];
  /** By `<task>#<attempt>`: what the stream of its worker said that it wrote, relative to the workspace. */
  readonly streamed?: ReadonlyMap<string, readonly string[]>;
  readonly places?: readonly Place[];
  /** The scratch of the plan, where what a task writes is not recorded. */
  readonly scratch?: readonly string[];
}

/** A milestone as the header has it, and facts that the summary adds. */
export interface MilestoneStanding {
  readonly header: NonNullable<ExecutionHeader['milestones']>[number];
  readonly validator: { readonly title: string; readonly mode: MilestoneMode; readonly failure_limit: number };
  readonly failures: number;
}

/** The milestones that were to be validated; none where the plan has none. */
export function milestoneTable(
  all: readonly MilestoneStanding[],
  { tasks = [] }: ExecutionHeader,
): readonly MarkdownText[] {
  if (all.length === 0) return [];
  const rows = all.map(({ header: { milestone_id, task_id, accepted }, validator, failures }) => {
    const unit = tasks.find((task) => task.task_id === task_id);
    return [
      cell(milestone_id),
      cell(validator.title),
      cell(task_id),
      validator.mode,
      accepted ? 'accepted' : 'NOT ACCEPTED',
      String(unit?.attempts ?? 0),
      `${failures} of at most ${validator.failure_limit}`,
      unit?.status ?? 'open',
    ];
  });
  const body = table(
    ['Milestone', 'Title', 'Validated by', 'Mode', 'Standing', 'Validations', 'Failed', 'Status of the unit'],
    rows,
  );
  return [
    inMarkdown`## Milestones\n\n${body}\n\nWhat each was accepted for stands in ${code('MILESTONE_<milestone_id>.json')}.`,
  ];
}

/** Names the orchestrator that was asked about blocks; empty where people alone were. */
export function orchestrator({ orchestrator: asked }: ExecutionHeader): readonly MarkdownText[] {
  if (!asked) return [];
  const { worker, sessions } = asked;
  const who = inMarkdown`A runtime orchestrator (${worker}) was to be asked about blocks before a person.`;
  if (sessions.length === 0) return [inMarkdown`## Runtime orchestrator\n\n${who} No block was for it.`];
  const rows = sessions.map(({ task_id, packet_id, model, result, chose, code: why, reason }) => [
    cell(task_id),
    cell(packet_id),
    model ?? 'not reported',
    chose ?? 'nothing',
    result === 'applied' ? 'carried out' : result,
    inMarkdown.join([...(why === null ? [] : [cell(why)]), ...(reason === null ? [] : [reason])], ' '),
  ]);
  const body = table(['Task', 'Packet', 'Model', 'Chose', 'Result', 'Why'], rows);
  return [inMarkdown`## Runtime orchestrator\n\n${who}\n\n${body}`];
}

/** Says what was denied. Without a tool it is a write, because a command reports only the place. */
export function deniedWhat({ tool, path }: AttemptEvidence['denials'][number]): MarkdownText {
  if (path === null) return inMarkdown`${tool ?? 'something'}`;
  return tool === null ? inMarkdown`a write to ${code(path)}` : inMarkdown`${tool} on ${code(path)}`;
}

/** Says in one sentence why an attempt did not pass, because its details have many lines. */
export function reasonOf({ reason, code: why }: AttemptEvidence): MarkdownText {
  const [first = '', ...more] = (reason ?? why ?? '').split('\n');
  return more.length === 0
    ? inMarkdown`${first}`
    : inMarkdown`${first} Its details are in ${code('TASK_<task_id>.json')}.`;
}

/** Returns whether an attempt launched no worker, because it judged once more what an earlier one had left. */
export function onlyValidates({ launches, decided_by }: Pick<AttemptEvidence, 'launches' | 'decided_by'>): boolean {
  return launches.length === 0 && decided_by?.outcome === 'rerun-validation';
}

/** The first hundred entries, then a text about the rest. */
export function bounded<T>(all: readonly T[]): readonly (T | string)[] {
  return firstNamed<T | string>(all, 'TASK_<task_id>.json beside this file', (listed) => listed);
}

/** A table of the first hundred rows, with the number of all rows when there are more. */
export function boundedTable<T extends object>(
  head: readonly string[],
  rows: readonly T[],
  cells: (row: T) => readonly MarkdownValue[],
): MarkdownText {
  const shown = bounded(rows);
  const body = table(
    head,
    shown.flatMap((row) => (typeof row === 'string' ? [] : [cells(row)])),
  );
  const rest = shown.at(-1);
  return typeof rest === 'string' ? inMarkdown`${String(rows.length)} in all:\n\n${body}\n\n... ${rest}.` : body;
}
