import type { Place, PlanPlaces, TaskPlace } from '../../adapters/documents/planPlaces';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';

export interface OutlineEntry {
  readonly kind: 'plan' | 'milestone' | 'task';
  readonly name: UiText;
  readonly detail: UiText;
  readonly whole: Place;
  readonly at: Place;
  readonly inside: readonly OutlineEntry[];
}

/** A task is beside its milestone, because VS Code wants a child to lie inside its parent. */
export function planOutline({ plan, whole, tasks, milestones }: PlanPlaces, planId: string): OutlineEntry | null {
  if (whole === null || (tasks.length === 0 && milestones.length === 0)) return null;
  const inside = [
    ...tasks.map(taskEntry),
    ...milestones
      .filter(({ id, title }) => id !== '' || title !== '')
      .map((milestone): OutlineEntry => {
        const { length } = tasks.filter((task) => task.milestone === milestone.id);
        const name = milestone.id === '' ? milestone.title : milestone.id;
        return {
          ...milestone,
          kind: 'milestone',
          name: ui`${limited(name, 80)}`,
          detail: ui`${limited(milestone.title, 120)}${milestone.title === '' ? '' : ', '}${length} task${length === 1 ? '' : 's'}`,
          inside: [],
        };
      }),
  ].sort((left, right) => left.whole.offset - right.whole.offset);
  const detail = ui`${tasks.length} task${tasks.length === 1 ? '' : 's'}`;
  const name = ui`${planId === '' ? 'Plan' : limited(planId, 80)}`;
  return { kind: 'plan', name, detail, whole, at: plan ?? { offset: whole.offset, length: 0 }, inside };
}

function taskEntry({ task_id, description, worker, depends_on, at, whole }: TaskPlace): OutlineEntry {
  const waits = depends_on.length === 0 ? '' : `after ${depends_on.join(', ')}`;
  const line = [worker, waits, description].filter((one) => one !== '').join(' · ');
  return {
    kind: 'task',
    name: ui`${task_id === '' ? 'Task' : limited(task_id, 80)}`,
    detail: ui`${limited(line, 160)}`,
    whole,
    at,
    inside: [],
  };
}
