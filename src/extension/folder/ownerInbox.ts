import { sendCommand, takeBack, type OutgoingCommand } from '../../adapters/inbox/send';
import { answerOf, nobody } from './answers';
import type { FolderViewer } from './viewer';
import type { Answer } from './types';

/** Milliseconds an owner in another process has for its answer. */
const answerLimit = 15_000;

/** Sends something to whoever owns the missions of a folder; the code is NOBODY when nobody took it. */
export async function sendToOwner(
  viewer: Pick<FolderViewer, 'stateFolder' | 'refresh' | 'isOwned'>,
  message: Pick<OutgoingCommand, 'id' | 'mission_id' | 'actor' | 'reason'> & {
    readonly command: Readonly<Record<string, unknown>>;
  },
): Promise<Answer> {
  if (!viewer.stateFolder) await viewer.refresh();
  const { stateFolder } = viewer;
  if (!stateFolder)
    return answerOf({
      code: 'MISSION_UNKNOWN',
      reason: 'There are no missions in this folder.',
      next: ['Mission Control: Run Plan'],
    });
  const command = { ...message, command: { ...message.command } };
  const answer = await sendCommand(
    stateFolder,
    { ...command, expected_seq: null, from_worker: false, token_sha256: null },
    { timeoutMs: answerLimit, owned: () => viewer.isOwned() },
  );
  // Its owner took it and is gone: whoever decides next, with the same id, comes to the same decision.
  if (answer === 'pending' && !(await viewer.isOwned())) {
    await takeBack(stateFolder, message.id);
    return answerOf({ code: nobody, reason: 'The owner of the missions went away.', next: ['Try again.'] });
  }
  switch (answer) {
    case 'nobody':
      return answerOf({ code: nobody, reason: 'Nobody took the command.', next: ['Try again.'] });
    case 'pending':
      return answerOf({
        code: 'LEASE_HELD',
        reason: 'The owner has taken the command and has not answered; it, or the next owner, still decides it.',
        next: ['Mission Control: Show Mission Control'],
      });
    default:
      return answer;
  }
}
