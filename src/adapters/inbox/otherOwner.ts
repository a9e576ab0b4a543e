import type { OtherOwner } from '../../engine/ports/ownership';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { FleetPlace } from '../../contracts/fleetMirror';
import { mirroredMissions, watcherFolder } from './mirror';
import { findStateFolder, stateFolderOf, type StateFolder } from '../state/folder';
import { isOwned } from '../state/lease';
import { access, lstat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  inboxAnswerSchema,
  inboxCommandSchema,
  inboxFolders,
  maxCommandBytes,
  type InboxCommandFile,
} from '../../contracts/inbox';
import { parsedJson } from '../../base/json';
import { writeFileHeld } from '../files/atomic';
import { watchFolder } from '../files/watch';
import { readSmallFile, removeFile } from './files';
import { errorWords, succeeds } from '../../base/outcome';
import { identityOf } from '../processes/tree';
import { redactText } from '../system/redact';

/** A command of a person: judged against the missions of that moment, without a session token. */
type HumanCommandFile = Omit<OutgoingCommand, 'expected_seq' | 'token_sha256'>;

/**
 * Sends a command through the inbox of a workspace, also where this process could not own missions.
 *
 * @param here this process owns them
 */
export function otherOwner(
  workspaceDir: string,
  command: HumanCommandFile,
  here: () => Promise<boolean> = () => Promise.resolve(false),
): OtherOwner {
  const own = stateFolderOf(workspaceDir);
  const watcher = watcherFolder(workspaceDir);
  // Keeps the first time, because a command that is sent again was asked for once.
  const sent_at = new Date().toISOString();
  const placeOf = async (): Promise<FleetPlace | undefined> =>
    (await mirroredMissions(workspaceDir)).find(({ mission_id }) => mission_id === command.mission_id);
  const isThere = async (): Promise<boolean> => {
    // No process of this workspace decides about a mission that a host of a fleet runs.
    if (await placeOf()) return true;
    if (await here()) return false;
    const found = await findStateFolder(workspaceDir);
    return found.ok && found.value !== null && isOwned(own.leaseDb);
  };
  return {
    isThere,
    async send(timeoutMs) {
      const outgoing = { sent_at, ...command, expected_seq: null, token_sha256: null };
      const place = await placeOf();
      if (place === undefined) return sendCommand(own, outgoing, { timeoutMs, owned: isThere });
      const sent = await sendCommand(watcher, outgoing, { timeoutMs, owned: () => isOwned(watcher.leaseDb) });
      return sent === 'nobody' || sent === 'gone' ? unwatched(place) : sent;
    },
    async takeBack() {
      for (const folder of [own, watcher]) await takeBack(folder, command.id);
    },
  };
}

function unwatched({ host }: FleetPlace): CommandAnswer {
  return {
    accepted: false,
    code: 'FLEET_UNWATCHED',
    reason: `Host ${host} of a fleet has the mission, and no process of this workspace watches the fleet.`,
    next: ['mission fleet watch', 'Then repeat the command.'],
  };
}

/** A command to send. `id` is a fresh UUID, or that of a command sent before, to ask about it. */
export type OutgoingCommand = Omit<InboxCommandFile, 'schema_version' | 'sent_at' | 'sender'> & {
  /** When a person asked for it; ISO-8601. Absent: now. */
  readonly sent_at?: string;
};

interface SendOptions {
  readonly timeoutMs: number;
  /** Says whether a process owns the missions. Asked once a second, so that no sender waits for nothing. */
  readonly owned?: () => Promise<boolean>;
  /** Milliseconds of a clock that never goes back, which measures that second. Default: performance.now. */
  readonly now?: () => number;
}

/**
 * Sends a command to the owner of the workspace's missions and waits for the answer. Never rejects.
 *
 * 'nobody': no owner took it within `timeoutMs`; it was withdrawn and will never run. 'gone': the owner went away; the
 * command was withdrawn, or taken back from that owner. 'pending': an owner took it and has not answered; that owner or
 * the next one still will.
 */
export async function sendCommand(
  folder: StateFolder,
  command: OutgoingCommand,
  options: SendOptions,
): Promise<CommandAnswer | 'nobody' | 'gone' | 'pending'> {
  const sender = await identityOf(process.pid);
  const file = {
    schema_version: '1.0.0' as const,
    ...command,
    // Redacts the name, because the file holds it in clear text until an owner takes it.
    actor: { ...command.actor, name: redactText(command.actor.name).text },
    reason: redactText(command.reason).text,
    ...(sender === null ? {} : { sender }),
    sent_at: command.sent_at ?? new Date().toISOString(),
  };
  const checked = inboxCommandSchema.safeParse(file);
  if (!checked.success)
    return invalid(
      `The command is not complete: ${checked.error.issues.map(({ path: at }) => `/${at.join('/')}`).join(', ')}.`,
    );
  const text = `${JSON.stringify(file)}\n`;
  if (Buffer.byteLength(text) > maxCommandBytes)
    return invalid(`The command is larger than ${String(maxCommandBytes)} bytes.`, 'Say it in fewer words.');
  if (!(await succeeds(access(folder.inboxDir)))) return 'nobody';
  const commandFile = path.join(folder.inboxDir, `${command.id}.json`);
  let handle: FileHandle | null = null;
  try {
    handle = await writeFileHeld(commandFile, text);
    const answer = await waitForAnswer(folder, command.id, options);
    if (typeof answer === 'object') {
      // The answer may be for the first copy of a repeated send, so withdraw the second.
      await removeFile(commandFile).catch(() => false);
      return answer;
    }
    const withdrawn = await removeFile(commandFile);
    // An owner took it, perhaps answered it just now, or took the first copy of a repeated send.
    const last = await takeAnswer(folder, command.id);
    if (last !== null) return last;
    if (answer === 'gone') {
      // Takes it back before it closes the file, because the next owner checks who holds the file open.
      await takeBack(folder, command.id);
      return 'gone';
    }
    return withdrawn && !(await isTaken(folder, command.id)) ? 'nobody' : 'pending';
  } catch (error) {
    return {
      accepted: false,
      code: 'STATE_STORE_UNWRITABLE',
      reason: `The command could not be sent: ${errorWords(error)}.`,
      next: ['mission doctor'],
    };
  } finally {
    await handle?.close().catch(() => undefined); // it was written and synced before
  }
}

/** Milliseconds; a little less than the second between looks that no file event causes. */
const askedAgainMs = 900;

/** Returns whether an owner has taken the command and not answered yet. */
export async function isTaken(folder: StateFolder, id: string): Promise<boolean> {
  return (await lstat(path.join(folder.inboxDir, inboxFolders.taken, `${id}.json`)).catch(() => null)) !== null;
}

/** Takes a command back from an owner that is gone; sent again, the same id gets the same decision. */
async function takeBack(folder: StateFolder, id: string): Promise<void> {
  await removeFile(path.join(folder.inboxDir, inboxFolders.taken, `${id}.json`));
}

async function waitForAnswer(
  folder: StateFolder,
  id: string,
  { timeoutMs, owned, now = () => performance.now() }: SendOptions,
): Promise<CommandAnswer | 'nobody' | 'gone'> {
  let asked = now();
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(deadline);
      watching.dispose();
      settle();
    };
    let looking = Promise.resolve();
    // Waits for a look that has begun, because it may have read the answer.
    const deadline = setTimeout(() => void looking.then(() => finish(() => resolve('nobody'))), timeoutMs);
    const lookOnce = async (): Promise<void> => {
      try {
        const answer = await takeAnswer(folder, id);
        // Asks about the owner only after a while: that uses much CPU, and other commands change the folder.
        const due = now() - asked >= askedAgainMs;
        if (due) asked = now();
        if (answer !== null) finish(() => resolve(answer));
        else if (due && owned !== undefined && !(await owned())) finish(() => resolve('gone'));
      } catch (error) {
        finish(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    const watching = watchFolder(folder.inboxDir, () => (looking = lookOnce()), {
      fallbackMs: 1000,
      keepAlive: true,
    });
  });
}

async function takeAnswer(folder: StateFolder, id: string): Promise<CommandAnswer | null> {
  const file = path.join(folder.inboxDir, `${id}.answer.json`);
  if (!(await succeeds(access(file)))) return null;
  const read = await readSmallFile(file, maxCommandBytes);
  await removeFile(file);
  if (typeof read === 'string') return invalid(`The answer cannot be read: ${read}.`);
  const value = parsedJson(read.content);
  if (value === undefined) return invalid('The answer is not JSON.');
  const parsed = inboxAnswerSchema.safeParse(value);
  if (!parsed.success) return invalid('The answer has another shape: sender and owner are different versions.');
  const { accepted, code, reason, next } = parsed.data;
  return { accepted, code, reason, next };
}

function invalid(
  reason: string,
  next = 'Update the older of the two, command line or editor; then look at `mission status`.',
): CommandAnswer {
  return { accepted: false, code: 'COMMAND_INVALID', reason, next: [next] };
}
