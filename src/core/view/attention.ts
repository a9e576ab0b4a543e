import { codeOfCategory } from '../../contracts/vocabulary/codes';
import type { MissionView } from '../../contracts/missionView';
import type { Mission } from '../model/state';
import { interventionWords } from '../lifecycle/intervention';
import { waitsForIntervention } from '../model/lanes';
import { troubleOf } from '../mission/trouble';
import { decisionStep } from '../../base/text/steps';

/** Why the mission waits for a person without a packet that says so; null when it does not. */
export function attention(mission: Mission): MissionView['attention'] {
  const trouble = troubleOf(mission);
  if (trouble)
    return {
      code: trouble.code,
      reason: `The runner stopped: ${trouble.reason}`,
      key: `${trouble.effect} ${trouble.at}`,
      next: [...trouble.next, decisionStep('resume', mission.mission_id)],
    };
  if (mission.ending) return null;
  const lane = mission.cancel ? undefined : mission.lanes.find(waitsForIntervention);
  if (lane?.intervention) {
    const key = `intervention ${lane.task_id} ${lane.attempt}`;
    return { code: 'INTERVENTION_REQUIRED', key, ...interventionWords(mission, lane, lane.intervention) };
  }
  const { hold } = mission;
  const packets = mission.packets.some(({ state }) => state.kind === 'open');
  if (hold.kind === 'paused' && hold.code !== null && !(packets && hold.code === codeOfCategory.budget_exceeded)) {
    const steps = [decisionStep('resume', mission.mission_id), decisionStep('cancel', mission.mission_id)];
    const next = hold.code === codeOfCategory.budget_exceeded ? { next: steps } : {};
    return { code: hold.code, reason: hold.reason, key: `${hold.code} ${hold.since}`, ...next };
  }
  const row = mission.rows.find(({ unproven }) => unproven && !unproven.due);
  if (!row?.unproven) return null;
  const { launch_id, looks } = row.unproven;
  return {
    code: null,
    reason: `Processes of task ${row.task.task_id} could not be proven gone: its lock stays, and nothing goes on before they are.`,
    key: `processes ${launch_id} ${looks}`,
  };
}
