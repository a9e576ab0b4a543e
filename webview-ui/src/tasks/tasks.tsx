import type { JSX } from 'preact';
import { useRef, useMemo } from 'preact/hooks';
import type { ShownMission, PanelTask } from '../../../src/contracts/page/panelView';
import { Part, Text, shown } from '../shell/text';
import { usePage } from '../shell/host';
import { TaskDetails } from './taskDetails';
import { TaskTable } from './taskTable';
import { Graph, layout } from '@dagrejs/dagre';
import { useRoving } from '../shell/roving';
import { graphLayout, taskBox } from './graphShape';
import { standingOf } from './taskWords';

export function Tasks({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const { kept, change } = usePage();
  const selected = mission.view.tasks.find(({ task_id }) => task_id === kept.task);
  const row = mission.rows.find(({ task_id }) => task_id === kept.task);
  const root = useRef<HTMLDivElement>(null);
  // Works from anywhere in the tasks, and returns the focus to the element that had opened them.
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || kept.task === null) return;
    root.current?.querySelector<HTMLElement>('[data-stop][aria-expanded="true"]')?.focus();
    change({ task: null });
  };
  return (
    <Part
      name="tasks"
      title="Tasks"
      aside={
        <div class="toggle" role="group" aria-label="Tasks as">
          <button type="button" aria-pressed={!kept.graph} onClick={() => change({ graph: false })}>
            Timeline
          </button>
          <button type="button" aria-pressed={kept.graph} onClick={() => change({ graph: true })}>
            Graph
          </button>
        </div>
      }
    >
      <div ref={root} onKeyDown={close}>
        {kept.graph ? (
          <>
            <TaskGraph view={mission.view} />
            {selected && row ? <TaskDetails task={selected} row={row} view={mission.view} /> : null}
          </>
        ) : (
          <TaskTable mission={mission} />
        )}
      </div>
    </Part>
  );
}

/** Number of tasks; a person cannot read a picture of more. */
const drawnAtMost = 150;

function TaskGraph({ view: { tasks } }: { readonly view: Pick<ShownMission['view'], 'tasks'> }): JSX.Element {
  const { kept, change } = usePage();
  const shape = tasks.map(({ task_id, depends_on }) => `${task_id}<${depends_on.join()}`).join(';');
  const drawn = useMemo(() => (tasks.length > drawnAtMost ? null : drawingOf(tasks)), [shape]);
  const root = useRef<HTMLDivElement>(null);
  const open = tasks.findIndex(({ task_id }) => task_id === kept.task);
  const roving = useRoving(root, tasks.length, open, { ArrowRight: 1, ArrowLeft: -1 });
  if (drawn === null)
    return <p class="dim">More than {drawnAtMost} tasks are too many for a graph; the timeline shows them all.</p>;
  return (
    <div ref={root} class="graph" role="group" aria-label="Tasks by what they wait for" onKeyDown={roving.onKeyDown}>
      <svg width={drawn.width} height={drawn.height} aria-hidden="true">
        {drawn.edges.map(({ key, path }) => (
          <path key={key} class="edge" d={path} />
        ))}
      </svg>
      {tasks.map((task, index) => {
        const place = drawn.places.get(task.task_id);
        const { mark, tone, word } = standingOf(task);
        const isOpen = index === open;
        return place === undefined ? null : (
          <button
            key={task.task_id}
            type="button"
            class={`node ${tone} ${task.status}`}
            data-node={task.task_id}
            aria-expanded={isOpen}
            title={shown(task.description)}
            style={{ left: `${place.x}px`, top: `${place.y}px` }}
            {...roving.at(index)}
            onClick={() => change({ task: isOpen ? null : task.task_id })}
          >
            <span>
              <span aria-hidden="true">{mark} </span>
              <Text as="b" of={task.task_id} />
            </span>
            <small>
              {word}, {task.worker}
              {task.depends_on.length === 0 ? null : <span class="hidden">, after {task.depends_on.join(', ')}</span>}
            </small>
          </button>
        );
      })}
    </div>
  );
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly edges: readonly { readonly key: string; readonly path: string }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
}

function drawingOf(tasks: readonly PanelTask[]): Drawing {
  const graph = new Graph();
  graph.setGraph({ ...graphLayout });
  graph.setDefaultEdgeLabel(() => ({}));
  // Names each task by a number, because an id may be any text, also one of the library's own
  // names.
  const names = new Map(tasks.map(({ task_id }, index) => [task_id, String(index)]));
  for (const name of names.values()) graph.setNode(name, { ...taskBox });
  for (const { task_id, depends_on } of tasks)
    for (const before of depends_on) {
      const [from, to] = [names.get(before), names.get(task_id)];
      if (from !== undefined && to !== undefined) graph.setEdge(from, to);
    }
  layout(graph);
  const places = new Map(
    [...names].map(([id, name]) => {
      const { x, y } = graph.node(name) as Point;
      return [id, { x: x - taskBox.width / 2, y: y - taskBox.height / 2 }] as const;
    }),
  );
  const edges = graph.edges().map((edge) => {
    const { points } = graph.edge(edge) as { readonly points: readonly Point[] };
    const [from, to] = [graph.node(edge.v) as Point, graph.node(edge.w) as Point];
    const path = curve([
      { x: from.x + taskBox.width / 2, y: from.y },
      // Keeps the points that pass other tasks; drops the library's ends, because they lie anywhere on the border.
      ...(points.length > 3 ? points.slice(1, -1) : []),
      { x: to.x - taskBox.width / 2, y: to.y },
    ]);
    return { key: `${edge.v} ${edge.w}`, path };
  });
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return { width, height, places, edges };
}
