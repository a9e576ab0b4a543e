import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';
import { shownCode } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import type { TaskRowView } from '../../../src/contracts/page/panelView';
import { menuContext } from '../shell/menus';
import { usePage } from '../shell/pageState';
import type { Roving } from '../shell/roving';
import { CodeWord, Text, shown } from '../shell/text';
import type { Axis } from './axis';
import { Bars, type BarsProps } from './bars';
import { TaskDetails, type DetailsProps } from './taskDetails';
import { standingOf } from './taskWords';

interface RowProps extends BarsProps, DetailsProps {
  /** Position among the tasks, from 0. */
  readonly place: number;
  readonly roving: Roving;
  readonly columns: number;
}

export function TaskRow({
  task: newest,
  row: newestRow,
  axis,
  goesOn,
  view,
  place,
  roving,
  columns,
}: RowProps): JSX.Element {
  const { entry, kept, change } = usePage();
  // Keeps what does not depend on the time, because nearly every snapshot changes only the bars.
  const [task, row] = [useSame(newest), useSame(newestRow)];
  const open = kept.task === task.task_id;
  const { mark, tone, word } = standingOf(task);
  const before = useMemo(
    () => (
      <>
        <td class={`mark ${tone}`} title={word}>
          <span aria-hidden="true">{mark}</span>
          <span class="hidden">{word}</span>
        </td>
        <td class="name">
          <button
            type="button"
            class="taskName"
            aria-expanded={open}
            title={shown(`${task.task_id}: ${task.description}`)}
            onClick={() => change({ task: open ? null : task.task_id })}
            {...roving.at(place)}
          >
            <Text as="b" of={task.task_id} /> <Text as="span" class="description" of={task.description} />
          </button>
        </td>
        <td class="dim roomy">{task.worker}</td>
      </>
    ),
    [task, open, place, roving.stop === place],
  );
  const behind = useMemo(
    () => (
      <>
        <td class="roomy">
          {row.in_scope === null ? null : row.in_scope.ok ? (
            <span class="good">✓</span>
          ) : (
            <span class="bad">✕ {row.in_scope.outside} outside</span>
          )}
        </td>
        <td class="wide">
          <Verified task={task} row={row} />
        </td>
      </>
    ),
    [task, row],
  );
  return (
    <>
      <tr
        data-task={task.task_id}
        data-state={task.status}
        class={open ? 'open' : ''}
        aria-rowindex={place + 2}
        data-vscode-context={menuContext(menuSections.task, entry, view, task.task_id)}
      >
        {before}
        <td class="wide">
          <Bars task={task} row={row} axis={axis} goesOn={goesOn} />
        </td>
        <td class="narrowOnly">
          <span class={tone}>{word}</span> <span class="dim">{durationOf(row, axis)}</span>
        </td>
        {behind}
      </tr>
      {open ? (
        <tr class="detailsRow">
          <td colSpan={columns}>
            <TaskDetails task={task} row={row} view={view} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Shows nothing before they ran. A task without any shows the code of its block. */
function Verified({ task, row }: Pick<RowProps, 'task' | 'row'>): JSX.Element | null {
  const { passed, ran, total } = task.verified;
  const code = shownCode(task);
  const runs = row.spans.findLast(({ kind }) => kind === 'verify');
  if (total > 0 && runs !== undefined) {
    const count = `${passed} of ${total}`;
    if (ran === 0 && runs.to !== null) return <span class="dim">not run</span>;
    if (passed === total) return <span class="good">✓ {count}</span>;
    return runs.to === null ? <span class="dim">{count}</span> : <span class="bad">✕ {count}</span>;
  }
  return code === null ? null : (
    <span class="cut" title={shown(code)}>
      <CodeWord of={code} />
    </span>
  );
}

function durationOf({ spans }: TaskRowView, axis: Axis): string {
  const first = spans[0];
  const last = spans.at(-1);
  if (!first || !last) return '';
  return clock((last.to === null ? axis.until : Date.parse(last.to)) - Date.parse(first.from));
}

/**
 * Returns an earlier snapshot's value as long as the new one is equal, so that the page draws
 * nothing again.
 */
function useSame<T>(value: T): T {
  const kept = useRef<{ readonly value: T; readonly text: string } | null>(null);
  const text = JSON.stringify(value);
  if (kept.current?.text !== text) kept.current = { value, text };
  return kept.current.value;
}
