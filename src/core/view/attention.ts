import { codeOfCategory, type PauseCode } from '../../contracts/vocabulary/codes';
import type { CommandOffers, MissionView } from '../../contracts/missionView';
import type { Mission } from '../model/state';
import { askedInAttempt, type Asked } from '../lifecycle/asked';
import { planChanged, planStep } from '../lifecycle/planWait';
import { waitsForPerson } from '../model/lanes';
import { needsDecision } from '../mission/afterLimit';
import { reviseStep } from '../mission/supersede';
import { troubleOf } from '../mission/trouble';
import { decisionStep } from '../../base/text/steps';

type GoingOn = Pick<CommandOffers, 'ResumeMission' | 'CancelMission'>;

/** Says why the mission waits for a person without a packet that says so; null when it does not. */
export function attention(mission: Mission, offers: GoingOn): MissionView['attention'] {
  const trouble = troubleOf(mission);
  if (trouble)
    return {
      code: trouble.code,
      reason: `The runner stopped: ${trouble.reason}`,
      key: `${trouble.effect} ${trouble.at}`,
      next: [...trouble.next, decisionStep('resume', mission.mission_id)],
    };
  if (mission.ending) return null;
  const asked = mission.cancel ? null : askedInAttempt(mission);
  if (asked) {
    const { lane, what, reason, next } = asked;
    return { code: codeOf[what], key: `${what} ${lane.task_id} ${lane.attempt}`, reason, next };
  }
  const { hold } = mission;
  const packets = mission.packets.some(({ state }) => state.kind === 'open');
  if (hold.kind === 'paused' && hold.code !== null && !(packets && hold.code === codeOfCategory.budget_exceeded)) {
    const next = pausedSteps(mission, hold.code, offers);
    return { code: hold.code, reason: hold.reason, key: `${hold.code} ${hold.since}`, next };
  }
  const row = mission.rows.find(({ unproven }) => unproven && !unproven.due);
  if (!row?.unproven) return null;
  const { launch_id, looks } = row.unproven;
  return {
    code: null,
    reason: `Processes of task ${row.task.task_id} could not be proven gone: its lock stays, and nothing goes on before they are.`,
    key: `processes ${launch_id} ${looks}`,
    ...(mission.rows.some(waitsForPerson) ? {} : { next: resumeSteps(mission, offers) }),
  };
}

/**
 * Returns what a person can do about a mission that needs no decision: one that a person paused, that no owner runs, or
 * whose failure no person has acknowledged. Empty: it runs, it has ended well, or something does need one.
 */
export function stepsOn(mission: Mission, offers: CommandOffers, interrupted: boolean): readonly string[] {
  if (interrupted) return [decisionStep('resume', mission.mission_id)];
  if (mission.ending)
    return offers.Acknowledge ? [decisionStep('acknowledge', mission.mission_id), reviseStep(mission)] : [];
  const decided = attention(mission, offers) !== null || mission.rows.some((row) => needsDecision(mission, row));
  return mission.hold.kind === 'paused' && !decided ? resumeSteps(mission, offers) : [];
}

/** Returns what a person can do about a mission that paused itself. */
function pausedSteps(mission: Mission, code: PauseCode, offers: GoingOn): readonly string[] {
  if (code === planChanged) return [planStep(mission), ...resumeSteps(mission, offers)];
  if (code === codeOfCategory.budget_exceeded) return resumeSteps(mission, offers);
  return [`mission journal verify ${mission.mission_id}`, decisionStep('cancel', mission.mission_id)];
}

function resumeSteps({ mission_id }: Mission, offers: GoingOn): readonly string[] {
  return [
    ...(offers.ResumeMission ? [decisionStep('resume', mission_id)] : []),
    ...(offers.CancelMission ? [decisionStep('cancel', mission_id)] : []),
  ];
}

/** The driver's word for what a person is needed for. */
const codeOf: Readonly<Record<Asked['what'], string>> = { intervention: 'INTERVENTION_REQUIRED', memory: 'ASK_USER' };
