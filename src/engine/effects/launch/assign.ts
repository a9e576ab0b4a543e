import { workPlaces } from '../../../contracts/vocabulary/confinement';
import { validateAssignment } from '../../../core/freshContext/assignment';
import { heldLocks } from '../../../core/handoff/bundle';
import { assignmentContext, taskAssignment } from '../../../core/handoff/taskAssignment';
import type { Report } from '../../../core/model/inputs';
import { surroundingsOf } from '../../../core/mission/evidence/ledgerDocument';
import type { Launch } from '../../../core/model/attempt';
import type { Tasks } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import type { EnginePorts } from '../../ports/engine';

/** Name of the packet in the run directory. */
export const assignmentFile = 'assignment.json';

export type Assigned =
  | { readonly allowed: true; readonly file: { readonly path: string; readonly content: string } }
  | { readonly allowed: false; readonly report: Report };

/** Builds a task's assignment packet before dispatch, or reports the contract's code when it is not valid. */
export function assign(mission: Tasks, task: PlannedTask, launch: Launch, ports: EnginePorts): Assigned {
  const surroundings = surroundingsOf(mission);
  const worklog = ports.paths.missionFile(mission.mission_id, `runs/${launch.run_dir}/${workPlaces.worklog}`);
  const locks = heldLocks(mission.rows);
  const packet = taskAssignment(mission, task, { worklog, at: ports.clock.now(), locks, surroundings });
  const verdict = validateAssignment(
    { value: packet, shape: ports.claims.assignmentShape(packet) },
    assignmentContext(mission, surroundings),
  );
  if (verdict.allow || verdict.code === 'OK')
    return { allowed: true, file: { path: assignmentFile, content: `${JSON.stringify(packet, null, 2)}\n` } };
  const findings = verdict.details.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
  const { code, reason } = verdict;
  return {
    allowed: false,
    report: { type: 'AssignmentWasRefused', launch_id: launch.launch_id, code, reason, findings },
  };
}
