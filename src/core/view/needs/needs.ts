import type { BlockView, MissionView, Need } from '../../../contracts/page/missionView';
import { limitWaits } from '../../mission/resolve/afterLimit';
import { askingPacket } from '../../mission/questions/questions';
import { missionStatus } from '../../mission/status';
import type { Mission } from '../../model/state';
import { attention } from './attention';

type Facts = Pick<MissionView, 'ending' | 'status' | 'acknowledged' | 'attention'> & {
  readonly blocks: readonly (Pick<BlockView, 'state' | 'goes_on_at'> & { readonly question?: unknown })[];
};

/** Returns what a mission needs a person for: the one rule for groups, words, colours, badges and notifications. */
export function needOf({ ending, status, acknowledged, attention: said, blocks }: Facts): Need | null {
  if (status === 'failed' && !acknowledged) return 'look';
  if (ending) return said === null ? null : 'decision';
  const open = blocks.filter(isUndecided);
  if (said === null && status !== 'blocked' && open.length === 0) return null;
  const asking = open.length > 0 ? open : blocks;
  const isAsked = said === null ? asking.length > 0 : said.code === 'INTERVENTION_REQUIRED' || said.code === 'ASK_USER';
  return isAsked && asking.every(({ question }) => question !== undefined) ? 'answer' : 'decision';
}

/** The same from few facts of a mission, for a line of a list. */
export function needOfMission(mission: Mission): Need | null {
  const blocks = mission.rows.flatMap(({ status, task: { task_id } }) => {
    const packet =
      status === 'blocked' ? mission.packets.findLast((candidate) => candidate.task_id === task_id) : undefined;
    if (!packet || mission.ending) return [];
    const wait = limitWaits(mission).find(({ packet_id }) => packet_id === packet.packet_id);
    const state = packet.state.kind === 'open' ? 'open' : 'left_blocked';
    return [{ state, question: askingPacket(mission, task_id), ...(wait && { goes_on_at: wait.at }) } as const];
  });
  return needOf({
    ...{ ending: mission.ending, status: missionStatus(mission), acknowledged: mission.acknowledged !== null, blocks },
    attention: attention(mission, {}),
  });
}

/** Says whether a block is open and does not go on by itself. */
export function isUndecided({ state, goes_on_at }: Pick<BlockView, 'state' | 'goes_on_at'>): boolean {
  return state === 'open' && goes_on_at === undefined;
}
