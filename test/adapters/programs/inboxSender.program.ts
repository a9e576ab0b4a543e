import { randomUUID } from 'node:crypto';
import { sendCommand } from '../../../src/adapters/inbox/otherOwner';
import { stateFolderOf } from '../../../src/adapters/state/folder';
import { argument, say } from './say';

// <workspace> <how many> <timeout ms>: sends commands one after the other and says each answer.
void (async () => {
  for (let n = 0; n < Number(argument(1)); n++) {
    const id = randomUUID();
    const command = {
      ...{ id, mission_id: 'M', command: { kind: 'Pause' }, actor: { kind: 'human', name: 'Ann' } as const },
      ...{ reason: `number ${String(n)}`, expected_seq: null, from_worker: false, token_sha256: null },
    };
    say({ sending: id });
    const answer = await sendCommand(stateFolderOf(argument(0)), command, { timeoutMs: Number(argument(2)) });
    say({ id, answer });
  }
})();
