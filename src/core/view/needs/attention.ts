import { codeOfCategory, type PauseCode } from '../../../contracts/vocabulary/codes/codes';
import type { CommandOffers, MissionView } from '../../../contracts/page/missionView';
import { offeredSteps } from '../../../base/text/steps';
import type { Progress, ReceivedPlan } from '../../model/state';
import { askedInAttempt, type Asked } from '../../lifecycle/openQuestion';
import { planChanged, planStep } from '../../lifecycle/parts/planWait';
import { waitsForPerson } from '../../model/lanes';
import { needsDecision } from '../../mission/resolve/waits';
import { troubleOf } from '../../mission/failedEffect';
import type { Step } from '../../../contracts/vocabulary/steps';

/** The commands by which it goes on or ends; none where no step is shown. */
type GoingOn = Partial<CommandOffers>;

/** Says why the mission waits for a person without a packet that says so; null when it does not. */
export function attention(mission: Progress, offers: GoingOn): MissionView['attention'] {
  const trouble = troubleOf(mission);
  if (trouble)
    return {
      code: trouble.code,
      reason: `The runner stopped: ${trouble.reason}`,
      key: `${trouble.effect} ${trouble.at}`,
      next: [...trouble.next.map(mend), { command: 'resume', args: { mission: mission.mission_id } }],
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
export function stepsOn(mission: Progress, offers: CommandOffers, interrupted: boolean): readonly Step[] {
  const args = { mission: mission.mission_id };
  if (interrupted) return [{ command: 'resume', args }];
  if (mission.ending)
    return offeredSteps(mission.mission_id, offers, 'acknowledge').flatMap((seen) => [
      seen,
      { command: 'plan revise', args } as const,
    ]);
  const decided = attention(mission, offers) !== null || mission.rows.some((row) => needsDecision(mission, row));
  return mission.hold.kind === 'paused' && !decided ? resumeSteps(mission, offers) : [];
}

/** Returns what a person can do about a mission that paused itself. */
function pausedSteps(mission: ReceivedPlan, code: PauseCode, offers: GoingOn): readonly Step[] {
  if (code === planChanged) return [mend(planStep(mission)), ...resumeSteps(mission, offers)];
  if (code === codeOfCategory.budget_exceeded) return resumeSteps(mission, offers);
  const args = { mission: mission.mission_id };
  return [
    { command: 'journal verify', args },
    { command: 'cancel', args },
  ];
}

function resumeSteps({ mission_id }: ReceivedPlan, offers: GoingOn): readonly Step[] {
  return offeredSteps(mission_id, offers, 'resume', 'cancel');
}

/** A step in the words of a refusal, or outside of Mission Control. */
export function mend(what: string): Step {
  return { command: 'mend', args: { what } };
}

/** The driver's word for what a person is needed for. */
const codeOf: Readonly<Record<Asked['what'], string>> = { intervention: 'INTERVENTION_REQUIRED', memory: 'ASK_USER' };
