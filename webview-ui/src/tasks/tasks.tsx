import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Part } from '../shell/fold';
import { usePage } from '../shell/pageState';
import { TaskDetails } from './taskDetails';
import { TaskGraph } from './taskGraph';
import { TaskTable } from './taskTable';

/** Shows a mission's tasks, as a table on a common time axis or as the graph of the same rows. */
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
