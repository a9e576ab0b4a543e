import { Uri } from 'vscode';
import { fewNamed } from '../../base/text/firstNamed';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { savedOrNothing } from '../plans/uris';
import { takesNamed } from '../views/missionFacts';
import { pick } from '../window/pick';
import { inform } from '../window/ui';
import { decide } from './ask/decisions';
import { openFile } from './opening';
import { chooseLane, chooseFor } from './ask/targets';

/** Handles a result that waits for a person: opens its packet to be completed, or takes it over as complete. */
export async function completeIntervention(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(
    composition,
    argument,
    'completeIntervention',
    'No result waits for a person to complete it.',
  );
  if (!target) return;
  const { title } = target.question;
  const { mission, folder } = target;
  const waiting = mission.lanes.filter(({ task_id }) => takesNamed('completeIntervention', mission, task_id));
  const lane = await chooseLane(target, waiting);
  if (!lane?.intervention) return;
  const { path, missing } = lane.intervention;
  const { task_id } = lane;
  if (path === null)
    return void inform(ui`The result packet of task ${task_id} is being written. Run ${title} again in a moment.`);
  const steps = [
    { label: 'Open the result packet', detail: `Incomplete: ${fewNamed(missing)}`, open: true },
    {
      label: 'It is complete',
      detail: `${path} is taken over, and task ${task_id} is verified once more.`,
      open: false,
    },
  ];
  const step = await pick(steps, { title, placeHolder: `Task ${task_id} waits for a person. What next?` });
  if (!step) return;
  if (step.open) return openFile(folder, path);
  if (!(await savedOrNothing(Uri.joinPath(folder.folder.uri, path), 'taken over'))) return;
  await decide(
    composition,
    target,
    { type: 'CompleteIntervention', task_id },
    ui`The result of ${task_id} is complete.`,
  );
}
