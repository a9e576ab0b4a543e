import { Uri, ViewColumn, window, workspace } from 'vscode';
import { createEvidenceFiles } from '../../../adapters/evidence/files';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { ui } from '../../../base/text/marked/ui';
import { quotedName } from '../../../base/text/oneLine';
import { writeRevision, type WrittenRevision } from '../../../engine/mission/revise';
import type { PlanEdit } from '../../../contracts/vocabulary/steps';
import { showRefusal } from '../ask/refusal';
import type { Composition } from '../../compose';
import { tellWritten } from '../../editor/savedDocuments';
import { inform, warn } from '../../window/ui';
import { chooseFor } from '../ask/targets';

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
