import type { OtherOwner } from '../../engine/ports/ownership';
import { findStateFolder, stateFolderOf } from '../state/folder';
import { isOwned } from '../state/lease';
import { sendCommand, takeBack, type OutgoingCommand } from './send';

/** A command of a person: judged against the missions of that moment, without a session token. */
export type HumanCommandFile = Omit<OutgoingCommand, 'expected_seq' | 'token_sha256'>;

/**
 * Sends a command through the inbox of a workspace. Needs only the state folder, so it works where this process could
 * not own missions.
 *
 * @param here this process owns them
 */
export function otherOwner(
  workspaceDir: string,
  command: HumanCommandFile,
  here: () => Promise<boolean> = () => Promise.resolve(false),
): OtherOwner {
  const folder = stateFolderOf(workspaceDir);
  // Keeps the first time, because a command that is sent again was asked for once.
  const sent_at = new Date().toISOString();
  const isThere = async (): Promise<boolean> => {
    if (await here()) return false;
    const found = await findStateFolder(workspaceDir);
    return found.ok && found.value !== null && isOwned(folder.leaseDb);
  };
  return {
    isThere,
    send: (timeoutMs) =>
      sendCommand(
        folder,
        { sent_at, ...command, expected_seq: null, token_sha256: null },
        { timeoutMs, owned: isThere },
      ),
    takeBack: () => takeBack(folder, command.id),
  };
}
