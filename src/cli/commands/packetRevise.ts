import { metadataChangesSchema, type MetadataChanges } from '../../contracts/commands/metadataChanges';
import type { MissionControlView } from '../../contracts/page/missionView';
import { priorities } from '../../contracts/vocabulary/intents';
import { metadataFields, type MetadataField } from '../../contracts/vocabulary/metadata';
import { timeLimits } from '../../contracts/vocabulary/plan';
import { agentNames } from '../../contracts/vocabulary/workers';
import { required, UsageError, type Command } from '../shell/command';
import { findMission, findTask } from '../show/find';
import type { HumanCommand } from '../owner/decide';
import { withWayBack, workerOptions } from '../owner/session';
import { decideAbout, decisionNeeds, decisionOptions } from './human';
import { findPacket } from './packet';

export const packetRevise: Command = {
  usage: 'ID | MISSION --task TASK',
  takes: [required.packetOrMission],
  summary: 'Revise metadata of a task that does not run, for its next attempt; the approved plan stays as it is.',
  details: [
    `FIELD is one of: ${metadataFields.join(', ')}. ID is a recovery packet: its task is meant.`,
    'MISSION is a mission id, or a plan id (its newest mission). worker and model only of a task that has not run, and where',
    'the plan names none. Recorded before and after, with who and why; then decide about the block, as with `mission retry`.',
  ],
  options: {
    task: { value: 'TASK', help: 'The task, with MISSION.' },
    set: { value: 'FIELD=VALUE', multiple: true, help: 'What it is from the next attempt on. An empty note: none.' },
    ...decisionOptions,
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const changes = changesIn(call.texts('set'));
    const [wanted = ''] = call.positionals;
    const task = call.text('task');
    const revised = (mission_id: string, task_id: string | null, packet_id: string | null): HumanCommand => ({
      ...{ mission_id, command: { type: 'ReviseMetadata', task_id, packet_id, changes }, then: 'record' },
    });
    return decideAbout(
      call,
      (view) => ({ ok: true, value: view }),
      async (view) => {
        const ofPacket = view.missions.find(({ blocks }) => blocks.some(({ packet_id }) => packet_id === wanted));
        if (ofPacket && task === null) return revised(ofPacket.mission_id, null, wanted);
        const isMission = view.missions.some(({ mission_id, plan_id }) => [mission_id, plan_id].includes(wanted));
        if (!isMission && /\.p\d+$/.test(wanted)) {
          // A closed packet, of which the mission says what has become of its task.
          const closed = await findPacket(call);
          return closed.ok ? revised(closed.value.mission_id, task, wanted) : call.out.refuse(closed.refusal);
        }
        const named = { mission: wanted, task: task ?? onlyBlock(view, wanted) };
        const found = findTask(view, [], named, 'ReviseMetadata');
        if (!found.ok) return call.out.refuse(await withWayBack(found.refusal, call));
        return revised(found.value.mission.mission_id, found.value.task_id, null);
      },
    );
  },
};

function formOf(field: MetadataField): string {
  switch (field) {
    case 'priority':
      return `one of ${priorities.join(', ')}`;
    case 'note':
      return 'a text that is not as long';
    case 'worker':
      return `one of ${agentNames.join(', ')}`;
    case 'model':
      return 'the name of a model';
    default:
      return `a whole number of seconds from ${timeLimits[field].min} to ${timeLimits[field].max}`;
  }
}

function changesIn(given: readonly string[]): MetadataChanges {
  if (given.length === 0)
    throw new UsageError('--set is missing. Say what it is from the next attempt on: FIELD=VALUE.');
  const values: Record<string, unknown> = {};
  for (const one of given) {
    const [name = '', ...rest] = one.split('=');
    const field = metadataFields.find((known) => known === name);
    if (field === undefined || rest.length === 0)
      throw new UsageError(`--set ${one}: it is FIELD=VALUE, and FIELD one of ${metadataFields.join(', ')}.`);
    if (Object.hasOwn(values, field)) throw new UsageError(`--set ${field} is given twice.`);
    const text = rest.join('=');
    values[field] = Object.hasOwn(timeLimits, field) && /^\d{1,9}$/.test(text) ? Number(text) : text;
  }
  const read = metadataChangesSchema.safeParse(values);
  if (read.success) return read.data;
  const field = metadataFields.find((known) => known === read.error.issues[0]?.path[0]) ?? 'note';
  const setting = given.find((one) => one.startsWith(`${field}=`));
  throw new UsageError(`--set ${setting ?? field}: it is ${formOf(field)}.`);
}

/** Finds the task that is meant: the blocked one, if only one is. */
function onlyBlock(view: MissionControlView, wanted: string): string | null {
  const mission = findMission(view, wanted);
  const [only, ...others] = new Set(mission.ok ? mission.value.blocks.map(({ task_id }) => task_id) : []);
  return only !== undefined && others.length === 0 ? only : null;
}
