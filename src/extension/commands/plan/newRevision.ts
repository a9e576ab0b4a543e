import { Uri, ViewColumn, window, workspace } from 'vscode';
import { createEvidenceFiles } from '../../../adapters/evidence/files';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { ui } from '../../../base/text/marked/ui';
import { quotedName } from '../../../base/text/oneLine';
import { writeRevision, type WrittenRevision } from '../../../engine/mission/revise';
import type { PlanEdit } from '../../../contracts/vocabulary/steps';
import { showRefusal, chooseFor, chooseTask } from '../ask/targets';
import type { Composition } from '../../compose';
import { tellWritten } from '../../editor/savedDocuments';
import { inform, warn, askText, pick } from '../../window/ui';
import type { MetadataChanges } from '../../../contracts/commands/metadataChanges';
import type { TaskView } from '../../../contracts/page/missionView';
import { priorities } from '../../../contracts/vocabulary/intents';
import { metadata, metadataLimits, type MetadataField } from '../../../contracts/vocabulary/metadata';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import { agentNames } from '../../../contracts/vocabulary/workers';
import { takesNamed } from '../../views/missionFacts';
import { decide } from '../ask/decisions';

/** Writes a DRAFT revision of a mission's plan, and opens it beside the plan. The revision carries done tasks over. */
export async function newRevision(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(
    composition,
    argument,
    'newRevision',
    'There is no mission whose plan could be revised.',
    () => true,
  );
  if (!target) return;
  const { title, none } = target.question;
  const root = target.folder.folder.uri;
  const { missions, ports } = await target.folder.missionSources();
  const mission = missions.find(({ mission_id }) => mission_id === target.mission.mission_id);
  if (!mission) return void inform(ui`${none}`);
  const executed = await createEvidenceFiles({ workspaceRoot: root.fsPath }).executions();
  const taken = [...(executed.ok ? executed.value : []), ...missions.map(({ plan }) => plan.plan_id)];
  const { plans, clock, person, settings } = composition;
  const written = await writeRevision(
    {
      ...{ mission, missions, planner: person.actor.name, defaultWorker: settings.defaultWorker(), taken },
      ...editIn(argument),
    },
    { ...ports, plans, clock, paths: await readMissionPaths(root.fsPath) },
  );
  if (!written.ok) return void showRefusal(title, written.refusal);
  const uri = Uri.joinPath(root, ...written.value.plan_path.split('/'));
  await tellWritten(composition, uri);
  await window.showTextDocument(await workspace.openTextDocument(uri), { viewColumn: ViewColumn.Beside });
  tell(written.value);
}

/** The line that Resolve Blocker fills in; empty: another caller, whose argument may be anything. */
function editIn(argument: unknown): { readonly edit?: PlanEdit } {
  const { edit } = (argument ?? {}) as { readonly edit?: Partial<Record<string, unknown>> };
  const kind = edit?.['kind'];
  if (kind === 'network' || kind === 'layers') return { edit: { kind } };
  const { task, paths, entries } = edit ?? {};
  const areTexts = (list: unknown): list is readonly string[] =>
    Array.isArray(list) && list.every((one) => typeof one === 'string');
  if (kind === 'opens' && areTexts(entries)) return { edit: { kind, entries } };
  const isWrites = typeof task === 'string' && areTexts(paths);
  return isWrites ? { edit: { kind: 'writes', task, paths } } : {};
}

function tell(written: WrittenRevision): void {
  const { plan_id, supersedes, carried, again, left, not_taken_over } = written;
  const kept =
    carried.length === 0 ? ui`No task is carried over.` : ui`Carried over: ${ui.join(carried.map(quotedName), ', ')}.`;
  void inform(
    ui`${plan_id} is a DRAFT that supersedes plan ${supersedes}. ${kept} Edit it, then approve it: that ends the mission, and the revision can run.`,
  );
  const warnings = [
    ...again.map(({ task_id, reason }) => ui`${task_id} will be done again, because ${reason}.`),
    ...left.map(
      (path) =>
        ui`${path} was changed outside the approved paths: put it back, or let the paths of a task approve it, else it stays.`,
    ),
    ...not_taken_over.map(
      ({ task_id, revised }) => ui`Revised of ${task_id} in the mission, and not in the draft: ${revised}.`,
    ),
  ];
  if (warnings.length > 0) void warn(ui.join(warnings, ' '));
}

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
