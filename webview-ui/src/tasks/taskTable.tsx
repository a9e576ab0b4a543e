import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';
import type { ShownMission, PanelTask } from '../../../src/contracts/page/panelView';
import { useNow } from '../shell/text';
import { axisOf, type Axis } from './axis';
import { wordsOf, TaskRow } from './taskRow';
import { usePage } from '../shell/host';
import { useRoving } from '../shell/roving';

/** Pixels of a closed row; the style sheet has the same height. */
const rowHeight = 32;
/** More rows than this are drawn only where they are visible. */
const drawnWhole = 60;
const spare = 10;

export function TaskTable({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const { view, rows, times } = mission;
  const { kept } = usePage();
  const now = useNow(times.until === null);
  const root = useRef<HTMLDivElement>(null);
  const [room, marks] = useRoom(root);
  const until = times.until === null ? now : Date.parse(times.until);
  const axis = axisOf(Date.parse(times.from), until, marks, rows);
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, last] = useWindow(body, view.tasks.length);
  const open = view.tasks.findIndex(({ task_id }) => task_id === kept.task);
  // Exactly the shown columns, because a cell that spans more would make columns of its own.
  const columns = columnsShown[room];
  const roving = useRoving(body, view.tasks.length, open);
  // Draws the open row and the one with the keyboard focus wherever the page is scrolled to.
  const drawn = [...new Set([open, roving.stop, ...placesOf(first, last)])]
    .filter((place) => place >= 0 && place < view.tasks.length)
    .sort((left, right) => left - right);
  return (
    <div ref={root} class="tableOfTasks">
      <table
        class={`tasks ${room}`}
        aria-rowcount={view.tasks.length + 1}
        style={{ '--names': longestName(view.tasks), '--behind': longestWords(mission, axis) }}
        onKeyDown={roving.onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">State</span>
            </th>
            <th scope="col" class="name">
              task
            </th>
            <th scope="col" class="roomy">
              agent
            </th>
            <th scope="col" class="axis wide">
              <span class="hidden">attempts over time</span>
              <div class="ticks" aria-hidden="true">
                {axis.ticks.map(({ percent, text }, index) => (
                  <span key={index} style={{ left: `${percent}%` }}>
                    {text}
                  </span>
                ))}
                {axis.folds.map(({ percent, width, text }) => (
                  <span key={text} class="folded" title={text} style={{ left: `${percent + width / 2}%` }}>
                    ⋯
                  </span>
                ))}
              </div>
            </th>
            <th scope="col" class="narrowOnly">
              state
            </th>
            <th scope="col" class="roomy">
              in scope
            </th>
            <th scope="col" class="wide">
              verified
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {drawn.map((place, index) => {
            const task = view.tasks[place];
            const row = rows[place];
            return task && row ? (
              <Fragment key={task.task_id}>
                <Space columns={columns} rows={place - (drawn[index - 1] ?? -1) - 1} />
                <TaskRow
                  task={task}
                  row={row}
                  axis={axis}
                  goesOn={times.until === null}
                  view={view}
                  place={place}
                  roving={roving}
                  columns={columns}
                />
              </Fragment>
            ) : null;
          })}
          <Space columns={columns} rows={view.tasks.length - (drawn.at(-1) ?? -1) - 1} />
        </tbody>
      </table>
      <Legend />
    </div>
  );
}

/** Characters. */
function longestName(tasks: readonly PanelTask[]): string {
  return String(tasks.reduce((most, task) => Math.max(most, task.task_id.length + 1 + task.description.length), 0));
}

/**
 * Counts the characters of the longest text behind a bar. Leaves out a text without a bar, because
 * it may cover the axis. A mark at the end of the axis gets as much room as the whole time needs.
 * The number of marks does not matter.
 */
function longestWords({ view, rows }: ShownMission, axis: Axis): string {
  const lengths = rows.map((row, index) => {
    const task = view.tasks[index];
    const behind = task && wordsOf(task, row, axis);
    return behind && behind.place !== null ? behind.text.length : 0;
  });
  return String(lengths.reduce((most, length) => Math.max(most, length), clock(axis.until - axis.from).length));
}

const columnsShown: Readonly<Record<Room, number>> = { narrow: 3, beside: 4, all: 6 };

function Space({ rows, columns }: { readonly rows: number; readonly columns: number }): JSX.Element | null {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="space">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );
}

function placesOf(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
}

/** Finds the visible rows, with some to spare. */
function useWindow(body: { readonly current: HTMLElement | null }, count: number): readonly [number, number] {
  const [seen, see] = useState<readonly [number, number]>([0, Math.min(count, drawnWhole)]);
  useLayoutEffect(() => {
    const look = (): void => {
      if (count <= drawnWhole) {
        see([0, count]);
        return;
      }
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.min(count - 1, Math.floor(-top / rowHeight) - spare));
      const last = Math.min(count, first + Math.ceil(window.innerHeight / rowHeight) + 2 * spare);
      see(([before, after]) => (before === first && after === last ? [before, after] : [first, last]));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [count]);
  return seen;
}

const kinds = [
  ['worker', 'worker'],
  ['verify', 'verification'],
  ['relaunch', 'relaunched with more permission'],
  ['wait', 'waits'],
  ['block', 'blocked'],
] as const;

function Legend(): JSX.Element {
  return (
    <ul class="legend wideOnly" aria-hidden="true">
      {kinds.map(([kind, text]) => (
        <li key={kind}>
          <svg width="18" height="10">
            <rect
              class={`bar ${kind} passed`}
              width="18"
              height={kind === 'wait' || kind === 'block' ? 5 : 10}
              y={kind === 'wait' || kind === 'block' ? 3 : 0}
              rx="2"
            />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The style sheet has the same width. */
const narrow = window.matchMedia('(max-width: 620px)');
/** Pixels; a narrower element has no room for facts that people rarely look up. */
const besideBelow = 861;
/** Pixels; an element whose bars would get less has no room either. */
const barsAtLeast = 200;
/** Pixels that the style sheet gives all columns except the names and the axis. */
const otherColumns = 22 + 76 + 92 + 160;
/** Pixels of "waits for you 12:34" behind a bar, which stay free before a task waits. */
const wordsBehind = 155;
/** Pixels of a time mark such as 12:34, with its distance to the next one. */
const markWidth = 40;
const marksAtMost = 6;

/**
 * The room of a table: only the most needed columns (`narrow`), also the time axis (`beside` another editor or a list),
 * or everything.
 */
type Room = 'narrow' | 'beside' | 'all';

/**
 * Measures the room of the table of tasks, and how many time marks fit on its axis.
 *
 * @param root the element that holds the table
 */
function useRoom(root: { readonly current: HTMLElement | null }): readonly [Room, number] {
  const [room, setRoom] = useState<Room>(() => roomIn(window.innerWidth, Number.POSITIVE_INFINITY));
  const [marks, setMarks] = useState(marksAtMost);
  useLayoutEffect(() => {
    const element = root.current;
    const ticks = element?.querySelector('.ticks');
    if (!element || !ticks) return undefined;
    const widthOf = (selector: string): number => element.querySelector(selector)?.getBoundingClientRect().width ?? 0;
    const look = (): void => {
      const { width } = element.getBoundingClientRect();
      const axis = ticks.getBoundingClientRect().width;
      // By the width and the names alone, because columns that come and go with what happens confuse.
      setRoom(roomIn(width, width - otherColumns - widthOf('th.name') - wordsBehind));
      setMarks(Math.max(1, Math.min(marksAtMost, Math.floor(axis / markWidth))));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    // Observed, because longer names and longer words behind bars take from the axis.
    sizes.observe(ticks);
    narrow.addEventListener('change', look);
    return () => {
      sizes.disconnect();
      narrow.removeEventListener('change', look);
    };
  }, []);
  return [room, marks];
}

/** @param bars pixels that bars would get beside all columns */
function roomIn(width: number, bars: number): Room {
  if (narrow.matches) return 'narrow';
  return width < besideBelow || bars < barsAtLeast ? 'beside' : 'all';
}
