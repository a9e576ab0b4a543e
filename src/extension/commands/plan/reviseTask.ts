import type { MetadataChanges } from '../../../contracts/commands/metadataChanges';
import type { TaskView } from '../../../contracts/page/missionView';
import { priorities } from '../../../contracts/vocabulary/intents';
import { metadata, metadataLimits, type MetadataField } from '../../../contracts/vocabulary/metadata';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import { agentNames } from '../../../contracts/vocabulary/workers';
import { ui } from '../../../base/text/marked/ui';
import type { Composition } from '../../compose';
import { takesNamed } from '../../views/missionFacts';
import { pick } from '../../window/pick';
import { askText } from '../../window/ui';
import { decide } from '../ask/decisions';
import { chooseTask, chooseFor } from '../ask/targets';

/** Revises one field of a task that does not run. */
export async function reviseTask(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'reviseTask', 'No task waits whose metadata could be revised.');
  if (!target) return;
  const { title } = target.question;
  const revisable = target.mission.tasks.filter(({ task_id }) => takesNamed('reviseTask', target.mission, task_id));
  const task = target.taskId === null && revisable.length === 1 ? revisable[0] : await chooseTask(target, revisable);
  if (!task) return;
  const field = await chooseField(task, title);
  const changes = field && (await askChange(field, task, title));
  if (!changes) return;
  const { task_id } = task;
  await decide(
    composition,
    target,
    { type: 'ReviseMetadata', task_id, packet_id: null, changes },
    ui`${metadata[field].title} of task ${task_id} is revised for its next attempt.`,
  );
}

async function chooseField({ task_id, metadata: now }: TaskView, title: string): Promise<MetadataField | undefined> {
  const fields = Object.keys(now ?? {}) as MetadataField[];
  const items = fields.map((field) => ({
    label: metadata[field].title,
    description: String(now?.[field] ?? 'none'),
    detail: metadata[field].means,
    field,
  }));
  return (await pick(items, { title, placeHolder: ui`What of task ${task_id} is revised?` }))?.field;
}

async function askChange(field: MetadataField, task: TaskView, title: string): Promise<MetadataChanges | undefined> {
  const now = String(task.metadata?.[field] ?? '');
  const placeHolder = ui`${metadata[field].title} of task ${task.task_id}, now ${now === '' ? 'none' : now}`;
  switch (field) {
    case 'priority':
    case 'worker': {
      const labels: readonly string[] = field === 'priority' ? priorities : agentNames;
      const items = labels.filter((one) => one !== now).map((label) => ({ label }));
      const chosen = await pick(items, { title, placeHolder });
      return chosen && { [field]: chosen.label };
    }
    case 'note':
    case 'model': {
      const text = await askText({
        title,
        prompt: ui`Task ${task.task_id}: ${metadata[field].means}`,
        value: now,
        refuses: (given) =>
          given.length > metadataLimits[field] ? ui`At most ${metadataLimits[field]} characters.` : null,
      });
      return text === undefined ? undefined : { [field]: text };
    }
    default: {
      const { min, max } = timeLimits[field];
      const right = (given: string): boolean => /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max;
      const text = await askText({
        title,
        prompt: ui`Task ${task.task_id}: ${metadata[field].means} ${min} to ${max}.`,
        value: now,
        refuses: (given) => (right(given.trim()) ? null : ui`A whole number of seconds from ${min} to ${max}.`),
      });
      return text === undefined ? undefined : { [field]: Number(text.trim()) };
    }
  }
}
