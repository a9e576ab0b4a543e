import type { TaskView } from '../../src/contracts/missionView';
import { elapsedText } from '../../src/contracts/missionView';
import { page, type PageText } from '../../src/base/text/page';
import { shownCode, taskWord } from '../../src/base/text/words';
import { el, since, type Child } from './dom';

const columns = ['Task', 'State', 'Worker', 'Time', 'Attempts', 'Changed', 'Verified'] as const;

/** The tasks of a mission; a row each, a paragraph each where there is no room for columns. */
export function tasksTable(tasks: readonly TaskView[]): HTMLElement {
  return el(
    'table',
    // Where it is narrow its rows are no table rows for the browser any more; they stay that for a screen reader.
    { class: 'tasks', role: 'table' },
    el(
      'thead',
      {},
      el('tr', { role: 'row' }, ...columns.map((name) => el('th', { scope: 'col', role: 'columnheader' }, name))),
    ),
    el('tbody', {}, ...tasks.flatMap((task) => [taskRow(task), factsRow(task)])),
  );
}

function taskRow(task: TaskView): HTMLElement {
  const changed =
    task.changed.length === 0
      ? ''
      : task.changed.length === 1
        ? (task.changed[0] ?? '')
        : `${task.changed.length} files`;
  return el(
    'tr',
    { 'data-task': task.task_id, role: 'row' },
    cell(
      { title: task.description },
      // What it unfolds is the next row, over all columns.
      el(
        'details',
        { class: 'more', 'data-keep': `facts-${task.task_id}` },
        el('summary', {}, el('strong', {}, task.task_id), ' ', el('span', { class: 'muted' }, task.description)),
      ),
      deniedOf(task),
    ),
    cell(
      { class: 'whole' },
      el('span', { class: `badge ${task.awaited ? 'awaited' : task.status}`, title: task.reason }, taskWord(task)),
      codeOf(task),
    ),
    cell({ class: 'whole' }, task.worker),
    cell({ class: 'number whole', 'data-name': 'Time' }, taskTime(task)),
    cell({ class: 'number whole', 'data-name': 'Attempts' }, String(task.attempts)),
    cell({ title: page.lines(task.changed), 'data-name': 'Changed' }, changed),
    cell(
      { class: 'whole', 'data-name': 'Verified', ...(task.verification !== undefined && { title: task.verification }) },
      task.verified.total === 0 ? '' : `${task.verified.passed} of ${task.verified.total}`,
    ),
  );
}

/** What the driver knows of a task, and what holds it back; shown while its row is unfolded. */
function factsRow(task: TaskView): HTMLElement {
  const { facts = [], paths } = task;
  return el(
    'tr',
    { class: 'facts-row', role: 'row' },
    el(
      'td',
      { colspan: String(columns.length), role: 'cell' },
      el(
        'dl',
        { class: 'facts', 'aria-label': `Facts of task ${task.task_id}` },
        ...facts.flatMap(({ name, value }) => factOf(name, name === 'Sandbox' ? `${value}${heldBack(task)}` : value)),
        ...factOf('May write', paths.join(', ')),
      ),
    ),
  );
}

function factOf(name: string, value: string): readonly HTMLElement[] {
  return [el('dt', {}, name), el('dd', { title: value }, value)];
}

function heldBack({ confined, coarser = [] }: TaskView): string {
  const observed = coarser.length === 0 ? '' : ` Left to observation: ${coarser.join(' ')}`;
  return `. ${confined ?? ''}${observed}`;
}

/** `data-name`: its column, which is told beside it where there is no room for columns. */
function cell(attributes: Readonly<Record<string, string | PageText>>, ...children: readonly Child[]): HTMLElement {
  const empty = children.every((child) => child === '');
  return el('td', { ...attributes, role: 'cell' }, ...(empty ? [] : children));
}

/** What the task did without; what blocks is told above the table. */
function deniedOf({ task_id, attempts, denied = [] }: TaskView): HTMLElement | null {
  if (denied.length === 0) return null;
  return el(
    'details',
    { class: 'denied', 'data-keep': `denied-${task_id}-${attempts}` },
    el('summary', {}, `Was denied ${denied.length === 1 ? 'something' : `${denied.length} things`}`),
    el('ul', { class: 'next' }, ...denied.map((one) => el('li', {}, one))),
  );
}

function taskTime(task: TaskView): HTMLElement | string {
  if (task.ended_at !== null) return elapsedText(task.started_at, task.ended_at) ?? '';
  return task.status === 'in_progress' ? (since(task.started_at) ?? '') : '';
}

/** The code that a person is shown beside a state; null: it says nothing more. */
export function codeOf(told: Pick<TaskView, 'code' | 'stopped'>): HTMLElement | null {
  const code = shownCode(told);
  return code === null ? null : el('code', {}, code);
}
