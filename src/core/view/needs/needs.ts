import type { BlockView, MissionView, Need } from '../../../contracts/page/missionView';
import { shownWait, type WaitTimes } from '../../../contracts/vocabulary/waits';
import { askingPacket } from '../../mission/questions/questions';
import { waitsNow, type Wait } from '../../mission/resolve/waits';
import { missionStatus } from '../../mission/status';
import { rowOf, type Progress } from '../../model/state';
import { attention } from './attention';

/** Finds what blocks the mission: the latest packet of each blocked task, while it is open or was left blocked. */
export function standingBlocks(mission: Progress) {
  if (mission.ending) return [];
  const waits = waitsNow(mission);
  return mission.packets.flatMap((packet) => {
    const { task_id, state } = packet;
    const row = rowOf(mission, task_id);
    const isLeft = state.kind === 'resolved' && state.outcome === 'leave-blocked';
    if (row?.status !== 'blocked' || (state.kind !== 'open' && !isLeft)) return [];
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

/** The field of a block that says until when its task waits. */
export function timeOf(wait: Wait | undefined): WaitTimes {
  return wait ? { [wait.name]: wait.at } : {};
}

/** Says whether a block is open and waits for no time. */
export function isUndecided(block: ShownBlock): boolean {
  return block.state === 'open' && shownWait(block) === null;
}
