import type { MissionView, RecoveryView, TaskView } from '../../src/contracts/missionView';
import { commandLine, el } from './dom';

/** What workers were denied and what became of it; null where nothing was. */
export function recoveries(mission: MissionView): HTMLElement | null {
  const told = mission.tasks.flatMap((task) => (task.recoveries ?? []).map((recovery) => line(task, recovery)));
  if (told.length === 0) return null;
  return el(
    'section',
    { class: 'recoveries' },
    el('h4', {}, 'Permission recovery'),
    el('ul', { class: 'next' }, ...told),
  );
}

function line({ task_id }: TaskView, { attempt, what, change, outcome, status }: RecoveryView): HTMLElement {
  return el(
    'li',
    { 'data-status': status },
    el('strong', {}, `${task_id}, attempt ${attempt}: `),
    `${what}. `,
    ...change.slice(0, 2).map((one) => `${one} `),
    el('span', { class: 'muted' }, outcome),
    change.length > 2 ? linesOf(task_id, attempt, change.slice(2)) : null,
  );
}

/** The command lines themselves, which are long. */
function linesOf(task: string, attempt: number, lines: readonly string[]): HTMLElement {
  return el(
    'details',
    { 'data-keep': `lines-${task}-${attempt}-${lines.at(-1) ?? ''}` },
    el('summary', {}, 'Command lines before and after'),
    ...lines.map((one) => el('p', {}, commandLine(one))),
  );
}
