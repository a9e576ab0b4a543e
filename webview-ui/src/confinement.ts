import type { MissionView, RecoveryView, TaskView } from '../../src/contracts/missionView';
import { confinementWords } from '../../src/base/text/words';
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

/** What confines each task that was launched, and what observation judges beside it; tasks of one kind together. */
export function confinementOf(mission: MissionView): HTMLElement | null {
  const kinds = new Map<string, string[]>();
  for (const task of mission.tasks) {
    const words = wordsOf(task);
    if (words !== null) kinds.set(words, [...(kinds.get(words) ?? []), task.task_id]);
  }
  if (kinds.size === 0) return null;
  return el(
    'details',
    { class: 'events', 'data-keep': `confinement-${mission.mission_id}` },
    el('summary', {}, 'What confines the tasks'),
    el(
      'ul',
      { class: 'next' },
      ...[...kinds].map(([words, tasks]) => el('li', {}, el('strong', {}, `${tasks.join(', ')}: `), words)),
    ),
  );
}

function wordsOf({ confinement, confined, coarser }: TaskView): string | null {
  if (confinement === null) return null;
  const observed = coarser === undefined ? '' : ` Left to observation: ${coarser.join(' ')}`;
  return `confined by ${confinementWords[confinement]}. ${confined ?? ''}${observed}`;
}
