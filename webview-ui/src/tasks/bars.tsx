import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';
import type { PanelTask, Span, TaskRowView } from '../../../src/contracts/page/panelView';
import { Text, shown } from '../shell/text';
import type { Axis } from './axis';

export interface BarsProps {
  readonly task: PanelTask;
  readonly row: TaskRowView;
  readonly axis: Axis;
  readonly goesOn: boolean;
}

/** Shows the attempts of a task on the common axis, with words behind them. */
export function Bars({ task, row, axis, goesOn }: BarsProps): JSX.Element {
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
