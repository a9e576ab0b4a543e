import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { inboxFolders, type InboxAnswerFile, type InboxCommandFile } from '../../contracts/inbox';
import type { Inbox, InboxCommand } from '../../engine/ports/ownership';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import { isTemporaryName, moveIfThere, renameFile, setAside, writeFileAtomic } from '../files/atomic';
import { watchFolder } from '../files/watch';
import { commandIdOf, isCommandId, readCommandFile, removeFile } from './files';
import { errorCode, errorWords, valueOn } from '../../base/outcome';
import type { StateFolder } from '../state/folder';
import type { ProcessIdentity } from '../../contracts/launch';
import { liveRuns } from '../launches/launches';
import { processIsInsideWorker } from '../launches/ancestry';
import { isAlive } from '../processes/tree';

export interface ReceivedCommand extends InboxCommand {
  readonly token_sha256: string | null;
}

/**
 * The owner's side of the inbox, only for the holder of the lease. Takes a command by moving it to `taken/`, where it
 * stays until it is answered. A next owner takes it over, so it may see a decided one (same id), and answers it again.
 * Files that are no commands go to `rejected/`; one with an id in its name gets the answer COMMAND_INVALID.
 *
 * `onProblem` gets refusals of the file system; the inbox tries again.
 */
export function createInbox(folder: StateFolder, onProblem: (problem: string) => void): Inbox {
  const takenDir = path.join(folder.inboxDir, inboxFolders.taken);
  const rejectedDir = path.join(folder.inboxDir, inboxFolders.rejected);
  const answerFile = (id: string): string => path.join(folder.inboxDir, `${id}.answer.json`);

  /** Delivered by the current watcher and not answered yet. */
  const delivered = new Set<string>();
  /** Commands that this owner took first. Others in `taken/` may have been decided by an earlier owner. */
  const fresh = new Set<string>();

  const answer = async (id: string, content: CommandAnswer): Promise<void> => {
    if (!isCommandId(id)) throw new RangeError(`not a command id: ${JSON.stringify(id)}`);
    const { accepted, code, reason, next } = content;
    const file: InboxAnswerFile = {
      schema_version: '1.0.0',
      id,
      accepted,
      code,
      reason,
      next: [...next],
      answered_at: new Date().toISOString(),
    };
    try {
      await writeFileAtomic(answerFile(id), `${JSON.stringify(file)}\n`);
      await removeFile(path.join(takenDir, `${id}.json`));
      delivered.delete(id);
      fresh.delete(id);
    } catch (error) {
      // The file stays in `taken/`: the next watcher delivers it again, and its id gets the same answer.
      onProblem(`inbox: ${id} cannot be answered: ${errorWords(error)}`);
    }
  };

  const giveBack = async (id: string): Promise<void> => {
    delivered.delete(id);
    if (!fresh.delete(id)) return;
    try {
      await renameFile(path.join(takenDir, `${id}.json`), path.join(folder.inboxDir, `${id}.json`));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') onProblem(`inbox: ${id} cannot be given back: ${errorWords(error)}`);
    }
  };

  const reject = async (name: string, reason: string): Promise<void> => {
    await renameFile(path.join(takenDir, name), path.join(rejectedDir, name));
    for (const old of (await byAge(rejectedDir)).slice(0, -keptRejected)) {
      await removeFile(path.join(rejectedDir, old)).catch(() => false); // a folder: stays for a person to look at
    }
    const id = commandIdOf(name);
    if (id !== null)
      await answer(id, {
        accepted: false,
        code: 'COMMAND_INVALID',
        reason: `The command was not taken: ${reason}.`,
        next: ['Send it with `mission` or from the editor.'],
      });
  };

  const deliver = async (name: string, onCommand: (command: ReceivedCommand) => void): Promise<void> => {
    const id = commandIdOf(name);
    if (id === null) return reject(name, 'its name is not an id and .json');
    if (delivered.has(id)) return;
    const command = await readCommandFile(path.join(takenDir, name), id);
    if (typeof command === 'string') return reject(name, command);
    delivered.add(id);
    const { schema_version: _version, sent_at: asked_at, sender: _sender, ...received } = command;
    const { identified, inside } = await checkSender(command, path.join(takenDir, name), folder.missionsDir).catch(
      (error: unknown) => {
        if (errorCode(error) !== 'ENOENT')
          onProblem(`inbox: who sent ${id} could not be found out: ${errorWords(error)}`);
        return { identified: false, inside: false };
      },
    );
    // Its sender took it back from an earlier owner, and sends it again.
    if (!(await exists(path.join(takenDir, name)))) return void delivered.delete(id);
    onCommand({ ...received, asked_at, from_worker: received.from_worker || inside, identified });
  };

  /** Delivers commands that a former owner took and did not answer; removes those whose answer is there. */
  const takeUp = async (deliverOne: (name: string) => Promise<void>): Promise<void> => {
    for (const name of await byAge(takenDir)) {
      const id = commandIdOf(name);
      if (id !== null && (await exists(answerFile(id)))) await removeFile(path.join(takenDir, name));
      else await deliverOne(name);
    }
  };

  return {
    answer,
    giveBack,
    watch(onCommand) {
      delivered.clear();
      let disposed = false;
      let started = false;
      let looking: Promise<void> = Promise.resolve();
      let trouble = '';
      // A failure does not stop other commands.
      const deliverOne = (name: string): Promise<void> =>
        deliver(name, onCommand).catch((error: unknown) => onProblem(`inbox: ${name}: ${errorWords(error)}`));
      const lookOnce = async (): Promise<void> => {
        try {
          if (!started) {
            await prepare(folder.inboxDir, takenDir, rejectedDir);
            await takeUp(deliverOne);
            started = true;
          }
          for (const name of await byAge(folder.inboxDir)) {
            if (disposed) return;
            if (!name.endsWith('.json') || name.endsWith('.answer.json') || isTemporaryName(name)) continue;
            const id = commandIdOf(name);
            const again = id !== null && (await exists(path.join(takenDir, name)));
            // Its sender may have withdrawn it.
            if (!(await moveIfThere(path.join(folder.inboxDir, name), path.join(takenDir, name)))) continue;
            if (id !== null && !again) fresh.add(id);
            await deliverOne(name);
          }
          trouble = '';
        } catch (error) {
          // Reports a trouble once, because each look finds it again.
          if (trouble !== errorWords(error)) onProblem(`inbox: ${errorWords(error)}`);
          trouble = errorWords(error);
        }
      };
      const watching = watchFolder(folder.inboxDir, () => (looking = lookOnce()), {
        fallbackMs: 2000,
        keepAlive: false,
      });
      return {
        async dispose() {
          disposed = true;
          watching.dispose();
          await looking;
        },
      };
    },
  };
}

const keptRejected = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** Creates the folders, and deletes answers and temporary files that are older than a day. */
async function prepare(inboxDir: string, ...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const stats = await lstat(folder).catch(() => null);
    // Renames an obstacle that is no folder, for a person to look at.
    if (stats?.isDirectory() === false) await setAside(folder);
    await mkdir(folder, { mode: 0o700 }).catch(valueOn(undefined, 'EEXIST'));
  }
  for (const name of await readdir(inboxDir)) {
    if (!name.endsWith('.answer.json') && !isTemporaryName(name)) continue;
    const file = path.join(inboxDir, name);
    const stats = await lstat(file).catch(() => null); // its sender was faster
    if (stats?.isFile() === true && Date.now() - stats.mtimeMs > dayMs) await removeFile(file);
  }
}

/** Names in a folder, oldest content first: the order in which the files were sent. */
async function byAge(folder: string): Promise<readonly string[]> {
  const found: { readonly name: string; readonly at: bigint }[] = [];
  for (const name of await readdir(folder)) {
    const stats = await lstat(path.join(folder, name), { bigint: true }).catch(() => null); // gone meanwhile
    if (stats !== null) found.push({ name, at: stats.mtimeNs });
  }
  found.sort((a, b) => (a.at === b.at ? (a.name < b.name ? -1 : 1) : a.at < b.at ? -1 : 1));
  return found.map(({ name }) => name);
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null;
}

interface SenderFinding {
  /** The named process lives and holds the command file open. */
  readonly identified: boolean;
  /** The process belongs to a worker. */
  readonly inside: boolean;
}

/**
 * Checks who sent a command. The file proves nothing about its sender, because an agent can write
 * one. So the process that it names must live and must not descend from a supervisor. On Linux it
 * must also hold this very file open.
 *
 * Limits: elsewhere a file may name any living process of the user. On Linux a worker may write a
 * file that another process holds open, and link it to this name. Then the file may name that
 * process. A process that left its worker's tree with an emptied environment has no ancestors that
 * show its origin.
 */
async function checkSender(
  command: Pick<InboxCommandFile, 'sender'>,
  file: string,
  missionsDir: string,
): Promise<SenderFinding> {
  const { sender } = command;
  if (sender === undefined) return { identified: false, inside: false };
  const inside = await processIsInsideWorker(sender.pid, await liveRuns(missionsDir));
  return { identified: (await isAlive(sender)) && (await holdsOpen(sender, file)), inside };
}

async function holdsOpen(sender: ProcessIdentity, file: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const wanted = await stat(file, { bigint: true });
  const folder = `/proc/${sender.pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    const open = await stat(`${folder}/${name}`, { bigint: true }).catch(() => null); // closed meanwhile
    if (open !== null && open.dev === wanted.dev && open.ino === wanted.ino) return true;
  }
  return false;
}
