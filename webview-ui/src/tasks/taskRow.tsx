import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';
import { shownCode } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import type { TaskRowView, PanelTask, Span } from '../../../src/contracts/page/panelView';
import { menuContext } from '../shell/menus';
import { usePage } from '../shell/host';
import type { Roving } from '../shell/roving';
import { CodeWord, Text, shown } from '../shell/text';
import type { Axis } from './axis';
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

interface BarsProps {
  readonly task: PanelTask;
  readonly row: TaskRowView;
  readonly axis: Axis;
  readonly goesOn: boolean;
}

/** Shows the attempts of a task on the common axis, with words behind them. */
function Bars({ task, row, axis, goesOn }: BarsProps): JSX.Element {
  const { spans } = row;
  const asks = task.asks === true || task.awaited === true;
  const said = useMemo(
    () => (spans.length === 0 ? null : <Text as="span" class="hidden" of={spans.map(({ text }) => text).join(' ')} />),
    [spans],
  );
  return (
    <div class={asks ? 'bars asks' : 'bars'}>
      <svg width="100%" height="22" aria-hidden="true">
        {axis.ticks.map(({ percent }, index) => (
          <line key={index} class="tick" x1={`${percent}%`} x2={`${percent}%`} y1="0" y2="22" />
        ))}
        {axis.folds.map(({ percent, width, text }) => (
          <rect key={text} class="idle" x={`${percent}%`} width={`${width}%`} y="0" height="22">
            <title>{text}</title>
          </rect>
        ))}
        {spans.map((span) => (
          <Bar key={`${span.kind} ${span.from}`} span={span} axis={axis} />
        ))}
        {goesOn ? <line class="nowLine" x1="100%" x2="100%" y1="0" y2="22" /> : null}
      </svg>
      <Behind words={wordsOf(task, row, axis)} tone={asks ? 'warn' : 'bad'} />
      {said}
    </div>
  );
}

function Bar({ span, axis }: { readonly span: Span; readonly axis: Axis }): JSX.Element {
  const from = axis.at(Date.parse(span.from));
  const to = axis.at(span.to === null ? axis.until : Date.parse(span.to));
  const title = useMemo(() => <title>{shown(span.text)}</title>, [span.text]);
  const thin = span.kind === 'wait' || span.kind === 'baseline' || span.kind === 'block';
  return (
    <rect
      class={`bar ${span.kind} ${span.outcome}`}
      x={`${from}%`}
      width={`${Math.max(0.4, to - from)}%`}
      y={thin ? 8 : 4}
      height={thin ? 6 : 14}
      rx="2"
    >
      {title}
    </rect>
  );
}

/** Words behind the last bar of a row, or in place of a first one. */
export interface Words {
  readonly text: string;
  /** The end of the last bar, percent; null: there is no bar. */
  readonly place: number | null;
  readonly waits: boolean;
}

/** Says how long the task took, what it waits for, or why it has not begun; null: nothing to say. */
export function wordsOf(task: PanelTask, { spans, waits_for }: TaskRowView, axis: Axis): Words | null {
  const first = spans[0];
  const last = spans.at(-1);
  if (!first || !last) {
    const text =
      task.carried_from !== undefined
        ? `done by ${task.carried_from}`
        : task.status === 'todo' && waits_for.length > 0
          ? `waits for ${waits_for.join(', ')}`
          : task.status === 'canceled'
            ? task.reason
            : '';
    return text === '' ? null : { text, place: null, waits: false };
  }
  const end = last.to === null ? axis.until : Date.parse(last.to);
  const waits = last.to === null && (last.kind === 'block' || task.awaited === true);
  const text = waits ? `waits for you ${clock(end - Date.parse(last.from))}` : clock(end - Date.parse(first.from));
  return { text, place: axis.at(end), waits };
}

function Behind({ words, tone }: { readonly words: Words | null; readonly tone: string }): JSX.Element | null {
  if (words === null) return null;
  const { text, place, waits } = words;
  if (place === null) return <Text as="span" class="behind dim first" title={shown(text)} of={text} />;
  return (
    <span class={`behind ${waits ? tone : 'dim'}`} style={{ left: `calc(${place}% + 5px)` }}>
      {text}
    </span>
  );
}
