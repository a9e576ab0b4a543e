import { terminal } from '../../base/text/marked/terminal';
import type { MissionApproval } from '../../engine/plans/approvals';
import type { MissionEngine } from '../../engine/mission/engine';
import type { Output } from '../shell/output';

/** Says first that a mission runs by what its file says alone; a recorded approval needs no word. */
export function printApproval(
  { mission }: Pick<MissionEngine, 'mission'>,
  { approved_here, warnings: [why] }: MissionApproval,
  out: Output,
): void {
  if (approved_here !== null) return;
  const says = terminal`Approved by ${mission?.plan.approved_by ?? 'an unnamed person'}, as the file says`;
  const line =
    why === undefined ? terminal`${says}; no approval of these bytes is recorded here` : terminal`${says}. ${why}`;
  if (out.json) out.note(line);
  else out.line(line);
}
