import { asList, quoted, textAt, type JsonObject } from '../../../base/json';
import { listIn } from '../../../base/listIn';
import type { JudgedTask, AddPlanFinding } from './judgedTask';
import { dependenciesOf, tasksById } from './tasks';

const none: readonly never[] = [];

/** Dependencies name tasks of this plan and form no cycle. Linear in their number. */
export function judgeDependencies(tasks: readonly JudgedTask[], report: AddPlanFinding): void {
  const byId = tasksById(tasks);
  let forward = false;
  for (const [task, index] of tasks) {
    const ids = asList(task['depends_on']) ?? none;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at];
      if (typeof id !== 'string') continue;
      const target = byId.get(id);
      if (target === undefined) {
        const message = `There is no task ${quoted(id)} in this plan; correct the id or remove it.`;
        report('DEPENDENCY_UNKNOWN', `/tasks/${index}/depends_on/${at}`, message);
      } else if (target === index) {
        const message = `Task ${quoted(id)} depends on itself; remove the dependency.`;
        report('DEPENDENCY_CYCLE', `/tasks/${index}/depends_on/${at}`, message);
      } else if (target > index) {
        forward = true;
      }
    }
  }
  // A cycle needs a task that waits for a later one.
  if (forward) judgeCycles(new Map(tasks.map(([task, index]) => [index, task])), byId, report);
}

function judgeCycles(
  tasks: ReadonlyMap<number, JsonObject>,
  byId: ReadonlyMap<string, number>,
  report: AddPlanFinding,
): void {
  /** Edges between different tasks: task -> the tasks it waits for. */
  const waitsFor = new Map<number, Set<number>>();
  for (const [index, task] of tasks) {
    const targets = dependenciesOf(task).flatMap(([id]) => byId.get(id) ?? []);
    waitsFor.set(index, new Set(targets.filter((target) => target !== index)));
  }
  for (const cycle of cyclesOf(waitsFor)) {
    const [first = 0, second] = cycle;
    const name = (index: number): string => textAt(tasks.get(index), 'task_id') ?? String(index);
    const at = dependenciesOf(tasks.get(first) ?? {}).find(([id]) => byId.get(id) === second)?.[1] ?? 0;
    const shown = cycle.length > 8 ? [...cycle.slice(0, 7).map(name), '...'] : cycle.map(name);
    const message = `Tasks wait for each other (${[...shown, name(first)].join(' needs ')}); remove one of these dependencies.`;
    report('DEPENDENCY_CYCLE', `/tasks/${first}/depends_on/${at}`, message);
  }
}

/** The cycles of a graph, each from its first task on. Tasks outside of cycles and not behind one are removed first. */
export function cyclesOf(waitsFor: ReadonlyMap<number, ReadonlySet<number>>): readonly (readonly number[])[] {
  const open = new Map([...waitsFor].map(([task, targets]) => [task, targets.size]));
  const waiting = new Map<number, number[]>();
  for (const [task, targets] of waitsFor) for (const target of targets) listIn(waiting, target).push(task);
  const ready = [...open.keys()].filter((task) => open.get(task) === 0);
  for (let task = ready.pop(); task !== undefined; task = ready.pop()) {
    open.delete(task);
    for (const next of waiting.get(task) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  // Every open task waits for an open one, so following these edges ends in a cycle.
  const next = (task: number): number | undefined => [...(waitsFor.get(task) ?? [])].find((target) => open.has(target));
  const visited = new Set<number>();
  const cycles: number[][] = [];
  for (const start of open.keys()) {
    const trail = new Map<number, number>();
    let task: number | undefined = start;
    while (task !== undefined && !visited.has(task)) {
      visited.add(task);
      trail.set(task, trail.size);
      task = next(task);
    }
    const from = task === undefined ? undefined : trail.get(task);
    if (from === undefined) continue;
    const cycle = [...trail.keys()].slice(from);
    const first = cycle.indexOf(cycle.reduce((least, other) => Math.min(least, other)));
    cycles.push([...cycle.slice(first), ...cycle.slice(0, first)]);
  }
  return cycles;
}
