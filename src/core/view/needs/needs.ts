import type { BlockView } from '../../../contracts/page/blockView';
import type { MissionView, Need, CommandOffers } from '../../../contracts/page/missionView';
import { shownWait, type WaitTimes } from '../../../contracts/vocabulary/waits';
import { askingPacket } from '../../mission/questions/questions';
import { waitsNow, type Wait, needsDecision } from '../../mission/resolve/waits';
import { missionStatus } from '../../mission/status';
import { rowOf, type Progress, type ReceivedPlan } from '../../model/state';
import { codeOfCategory, type PauseCode } from '../../../contracts/vocabulary/codes/codes';
import { offeredSteps } from '../../../base/text/steps';
import { askedInAttempt, type Asked } from '../../lifecycle/intervention';
import { planChanged, planStep } from '../../lifecycle/parts/planWait';
import { waitsForPerson } from '../../model/lanes';
import { troubleOf } from '../../mission/effects';
import type { Step } from '../../../contracts/vocabulary/steps';

/** Finds what blocks the mission: the latest packet of each blocked task, while it is open or was left blocked. */
export function standingBlocks(mission: Progress) {
  if (mission.ending) return [];
  const waits = waitsNow(mission);
  return mission.packets.flatMap((packet) => {
    const { task_id, state } = packet;
    const row = rowOf(mission, task_id);
    const isLeft = state.kind === 'resolved' && state.outcome === 'leave-blocked';
    if (row.status !== 'blocked' || (state.kind !== 'open' && !isLeft)) return [];
    if (mission.packets.findLast((one) => one.task_id === task_id) !== packet) return [];
    const [asking, wait] = [askingPacket(mission, task_id), waits.find((one) => one.packet === packet)];
    return [{ row, packet, state: isLeft ? 'left_blocked' : 'open', asking, wait } as const];
  });
}

export type StandingBlock = ReturnType<typeof standingBlocks>[number];

type ShownBlock = WaitTimes & Pick<BlockView, 'state'> & { readonly question?: unknown };
type Facts = Pick<MissionView, 'ending' | 'status' | 'acknowledged' | 'attention'> & {
  readonly blocks: readonly ShownBlock[];
};

/** Returns what a mission needs a person for: the one rule for groups, words, colours, badges and notifications. */
export function needOf({ ending, status, acknowledged, attention: said, blocks }: Facts): Need | null {
  if (status === 'failed' && !acknowledged) return 'look';
  if (ending) return said === null ? null : 'decision';
  const calling = blocks.filter((block) => shownWait(block) === null);
  const open = calling.filter(isUndecided);
  const stands = status === 'blocked' && (calling.length > 0 || blocks.length === 0);
  if (said === null && !stands && open.length === 0) return null;
  const asking = open.length > 0 ? open : calling;
  const isAsked = said === null ? asking.length > 0 : said.code === 'INTERVENTION_REQUIRED' || said.code === 'ASK_USER';
  return isAsked && asking.every(({ question }) => question !== undefined) ? 'answer' : 'decision';
}

export function needOfMission(mission: Progress): Need | null {
  const blocks = standingBlocks(mission).map(({ state, asking, wait }) => ({
    state,
    question: asking,
    ...timeOf(wait),
  }));
  return needOf({
    ...{ ending: mission.ending, status: missionStatus(mission), acknowledged: mission.acknowledged !== null, blocks },
    attention: attention(mission, {}),
  });
}

export function timeOf(wait: Wait | undefined): WaitTimes {
  return wait ? { [wait.name]: wait.at } : {};
}

export function isUndecided(block: ShownBlock): boolean {
  return block.state === 'open' && shownWait(block) === null;
}

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

/** Empty: it runs, it has ended well, or a decision is due. */
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
