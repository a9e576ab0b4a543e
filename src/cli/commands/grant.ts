import { folderOf } from '../../adapters/files/folderOf';
import type { MissionControlView, MissionView } from '../../contracts/missionView';
import { terminal } from '../../base/text/terminal';
import type { CommandSpec } from '../shell/command';
import { exitCodes, exitOfRefusal } from '../shell/exitCodes';
import { findMission, type Found } from '../show/find';
import { humanCommand } from '../owner/decide';
import { workerOptions } from '../owner/session';
import { decisionNeeds, decisionOptions, readSnapshot } from './human';

/** Grants one attempt of a blocked task what its worker was denied, and runs it. */
export const grant: CommandSpec = {
  name: 'grant',
  usage: '[MISSION] DIR',
  takes: [1, 2],
  ids: 0,
  summary: 'Grant one attempt of a blocked task the directory that its worker was denied, and resume.',
  details: [
    'DIR is the directory that is granted; of a file, the folder that holds it. What concerns the workspace itself (trust it,',
    'skip the Git check) is granted by naming the workspace folder. MISSION is a mission id, or a plan id (its newest',
    'mission); without it: the only open mission that waits for a permission. Another attempt does not have the grant.',
  ],
  options: {
    ...decisionOptions,
    task: { value: 'TASK', help: 'The task, when several wait for a permission.' },
    ...workerOptions,
  },
  needs: decisionNeeds,
  store: true,
  async run(call) {
    const view = await readSnapshot(call);
    if (!view.ok) return call.out.refuse(view.refusal, exitOfRefusal(view.refusal.code));
    const [first = '', second] = call.positionals;
    const mission = second === undefined ? onlyWaiting(view.value) : findMission(view.value, first);
    if (!mission.ok) return call.out.refuse(mission.refusal);
    const named = second ?? first;
    const directory = await folderOf(call.file(named));
    if (directory === null)
      return call.out.refuse(
        {
          code: 'GRANT_INVALID',
          reason: `There is no directory ${named}.`,
          next: [`mission status ${mission.value.mission_id}`],
        },
        exitCodes.refused,
      );
    call.out.note(terminal`Granted for one attempt: ${directory}`);
    return humanCommand(call, {
      mission_id: mission.value.mission_id,
      command: { type: 'GrantDirectory', task_id: call.text('task'), directory },
      then: 'run',
    });
  },
};

function onlyWaiting({ missions }: MissionControlView): Found<MissionView> {
  const waiting = missions.filter(({ blocks }) => blocks.some(({ denied }) => denied));
  const [only] = waiting;
  if (only && waiting.length === 1) return { ok: true, value: only };
  return {
    ok: false,
    refusal: {
      code: 'MISSION_UNKNOWN',
      reason: only ? 'Several missions wait for a permission; say which.' : 'No mission waits for a permission.',
      next: only ? waiting.map(({ mission_id }) => `mission status ${mission_id}`) : ['mission list'],
    },
  };
}
