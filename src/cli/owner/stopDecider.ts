import { randomUUID } from 'node:crypto';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { CommandAnswer } from '../../core/model/state';
import type { Invocation } from '../shell/command';
import { ownedBy, type Owned } from './session';

export interface StopDecider {
  /** Null: an owner is there and does not answer. */
  readonly decide: (missionId: string, command: MissionCommand, withinMs: number) => Promise<CommandAnswer | null>;
  /** Lets go of what this process took over. */
  release(): Promise<void>;
}

const settleLimit = 2_000;
const attempts = 20;

/** Decides in one workspace: through its owner, or as the owner from then on. */
export function decider(call: Invocation, actor: Actor, reason: string): StopDecider {
  let owned: Owned | null = null;
  return {
    async decide(mission_id, command, withinMs) {
      const id = randomUUID();
      const from_worker = false;
      const message = { id, mission_id, command: { ...command }, actor, reason, from_worker };
      const owner = otherOwner(call.workspace, message);
      // Owners may come and go meanwhile.
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        if (owned) return owned.host.command({ ...message, command, expected_seq: null });
        if (await owner.isThere()) {
          const answer = await owner.send(withinMs);
          if (typeof answer === 'object') return answer;
          if (answer !== 'gone') return null;
          continue;
        }
        const taken = await ownedBy(call, actor);
        if (taken.ok) owned = taken.value;
        else if (taken.refusal.code !== 'LEASE_HELD') return { accepted: false, ...taken.refusal };
      }
      return null;
    },
    async release() {
      const mine = owned;
      owned = null;
      if (!mine) return;
      // Only evidence of the stop remains. If writing it takes too long, the next owner finishes it.
      await Promise.race([mine.host.settled(), new Promise((resolve) => setTimeout(resolve, settleLimit).unref())]);
      await mine.host.release();
      await mine.node.close();
    },
  };
}
