import path from 'node:path';
import { grantedFolder } from '../../adapters/files/grantedFolder';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { done, refused, type Outcome } from '../../base/outcome';
import { optional, required, type Command, type Invocation } from '../shell/command';
import { findMissionHere } from '../show/find';
import { workerOptions } from '../owner/session';
import { decideAbout, decisionNeeds, decisionOptions } from './human';

export const grant: Command = {
  takes: [{ ...optional.mission, isId: false }, required.directory],
  summary: 'Grant one attempt of a blocked task the place that its worker was denied, and resume.',
  details: [
    'DIR is the directory or the file that is granted, to read if only reading was denied. A file that is not there yet is',
    'granted by its folder. What concerns the workspace itself (trust it, skip the Git check) is granted by naming the',
    'workspace folder. MISSION is a mission id, or a plan id (its newest mission); without it: the only open mission that',
    'waits for a permission. Another attempt does not have the grant.',
  ],
  options: {
    ...decisionOptions,
    task: { value: 'TASK', help: 'The task, when several wait for a permission.' },
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const [first = '', second] = call.positionals;
    const find = (view: MissionControlView): Outcome<MissionView> =>
      second === undefined ? onlyWaiting(view) : findMissionHere(view, first);
    return decideAbout(call, find, async (mission) => {
      const { mission_id } = mission;
      const named = call.file(second ?? first);
      const found = await grantedFolder({ mission_id, named, denied: deniedPlace(mission, call) });
      if (!found.ok) return call.out.refuse(found.refusal);
      const command = { type: 'GrantDirectory', task_id: call.text('task'), ...found.value } as const;
      return { mission_id, command, then: 'run' };
    });
  },
};

/** Null: several tasks wait and none is named, or what was denied has no path outside. */
function deniedPlace({ blocks }: MissionView, call: Invocation): string | null {
  const task = call.text('task');
  const waiting = blocks.filter(({ denied, task_id }) => denied && (task === null || task_id === task));
  const denied = waiting.length === 1 ? (waiting[0]?.denied?.path ?? null) : null;
  return denied === null ? null : path.resolve(call.workspace, denied);
}

function onlyWaiting({ missions }: MissionControlView): Outcome<MissionView> {
  const waiting = missions.filter(({ offers }) => offers.GrantDirectory.length > 0);
  const [only] = waiting;
  if (only && waiting.length === 1) return done(only);
  if (!only) return refused('MISSION_UNKNOWN', 'No mission waits for a permission.', 'mission list');
  const next = waiting.map(({ mission_id }) => `mission status ${mission_id}`);
  return refused('MISSION_UNKNOWN', 'Several missions wait for a permission; say which.', ...next);
}
