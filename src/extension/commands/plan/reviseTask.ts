import type { MetadataChanges } from '../../../contracts/commands/metadataChanges';
import type { TaskView } from '../../../contracts/page/missionView';
import { priorities } from '../../../contracts/vocabulary/intents';
import { metadataLimits, type MetadataField } from '../../../contracts/vocabulary/metadata';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import { agentNames } from '../../../contracts/vocabulary/workers';
import { ui } from '../../../base/text/marked/ui';
import type { Composition } from '../../compose';
import { takesNamed } from '../../views/missionFacts';
import { pick } from '../../window/pick';
import { askText } from '../../window/ui';
import { decide } from '../ask/decisions';
import { chooseTask, chooseFor } from '../ask/targets';

/**
 * Revises the metadata of a task that does not run, one field at a time. Shows the present and the
 * possible values of the field.
 */
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
    ui`${labels[field]} of task ${task_id} is revised for its next attempt.`,
  );
}

const labels: Readonly<Record<MetadataField, string>> = {
  priority: 'Priority',
  timeout_seconds: 'Timeout',
  heartbeat_interval_seconds: 'Heartbeat interval',
  max_runtime_seconds: 'Longest runtime',
  note: 'Note',
  worker: 'Worker',
  model: 'Model',
};

const meanings: Readonly<Record<MetadataField, string>> = {
  priority: 'Which of several tasks that could start goes first.',
  timeout_seconds: 'Seconds without progress after which an attempt is stopped.',
  heartbeat_interval_seconds: 'Seconds between signs of life.',
  max_runtime_seconds: 'Seconds after which an attempt is stopped in any case.',
  note: 'A note for the next attempt, in addition to the plan.',
  worker: 'Who performs it, where the plan names no worker and it has not run.',
  model: 'Of its agent, where the plan names none and it has not run.',
};

async function chooseField({ task_id, metadata }: TaskView, title: string): Promise<MetadataField | undefined> {
  const fields = Object.keys(metadata ?? {}) as MetadataField[];
  const items = fields.map((field) => ({
    label: labels[field],
    description: String(metadata?.[field] ?? 'none'),
    detail: meanings[field],
    field,
  }));
  return (await pick(items, { title, placeHolder: ui`What of task ${task_id} is revised?` }))?.field;
}

async function askChange(field: MetadataField, task: TaskView, title: string): Promise<MetadataChanges | undefined> {
  const now = String(task.metadata?.[field] ?? '');
  const placeHolder = ui`${labels[field]} of task ${task.task_id}, now ${now === '' ? 'none' : now}`;
  switch (field) {
    case 'priority': {
      const chosen = await pick(
        priorities.filter((one) => one !== now).map((label) => ({ label })),
        { title, placeHolder },
      );
      return chosen && { priority: chosen.label };
    }
    case 'worker': {
      const chosen = await pick(
        agentNames.filter((one) => one !== now).map((label) => ({ label })),
        { title, placeHolder },
      );
      return chosen && { worker: chosen.label };
    }
    case 'note':
    case 'model': {
      const text = await askText({
        title,
        prompt: ui`Task ${task.task_id}: ${meanings[field]}`,
        value: now,
        refuses: (given) =>
          given.length > metadataLimits[field] ? ui`At most ${metadataLimits[field]} characters.` : null,
      });
      return text === undefined ? undefined : { [field]: text };
    }
    case 'timeout_seconds':
    case 'heartbeat_interval_seconds':
    case 'max_runtime_seconds': {
      const { min, max } = timeLimits[field];
      const right = (given: string): boolean => /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max;
      const text = await askText({
        title,
        prompt: ui`Task ${task.task_id}: ${meanings[field]} ${min} to ${max}.`,
        value: now,
        refuses: (given) => (right(given.trim()) ? null : ui`A whole number of seconds from ${min} to ${max}.`),
      });
      return text === undefined ? undefined : { [field]: Number(text.trim()) };
    }
  }
}
