import { quotedArguments } from '../../base/text/marked/visible';
import { access, constants, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isOwned } from '../state/lease';
import { leaseSupport } from '../state/leaseSupport';
import { refuseForeign } from '../journal/foreign';
import { markStore } from '../journal/open';
import { openNodeViewer, type JournalPlace } from '../nodeViewer';
import { errorHelp, done, errorCode, errorWords, refused, type Outcome, type Refusal } from '../../base/outcome';
import { findStateFolder, openStateFolder, stateFolderOf } from '../state/folder';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { DoctorCheck, ReadMissions } from '../../engine/ports/doctor';

export async function workspaceChecks(
  workspace: string,
  journal: JournalPlace,
  missions: ReadMissions,
): Promise<readonly DoctorCheck[]> {
  return [
    await folder(workspace),
    await stateFolder(workspace),
    await fileSystem(workspace),
    await lease(workspace),
    ...(await store(workspace, journal, missions)),
  ];
}

async function folder(workspace: string): Promise<DoctorCheck> {
  try {
    if (!(await stat(workspace)).isDirectory()) throw new Error('it is not a folder');
    await access(workspace, constants.R_OK | constants.W_OK);
    return inOrder('workspace', `${workspace} can be read and written`);
  } catch (error) {
    const fix = 'Make it a folder that your user can read and write, or use another one as the workspace.';
    return inDisorder('workspace', `${workspace} cannot be used: ${errorWords(error)}`, fix);
  }
}

async function stateFolder(workspace: string): Promise<DoctorCheck> {
  const id = 'state-folder';
  const found = await findStateFolder(workspace);
  if (!found.ok) return asRefused(id, found.refusal);
  if (found.value === null) return inOrder(id, 'no .mission-control yet; the first mission makes it');
  const { root, stateDb } = found.value;
  const others = await refuseForeign(stateDb);
  if (!others.ok) return asRefused(id, others.refusal);
  const mode = (await stat(root)).mode & 0o777;
  if (process.platform === 'win32' || mode === 0o700) return inOrder(id, `${root}, for your user only`);
  const detail = `${root} has the mode ${mode.toString(8)}: others may look into it`;
  return {
    ...inDisorder(id, detail, `chmod 700 ${quotedArguments([root])}`),
    repair: {
      explains: `set the mode of ${root} and its folders to 700`,
      // Looks again, because a page that offers a repair may stay open for days.
      does: async () => {
        if (!(await stateFolder(workspace)).repair) return done(null);
        const opened = await openStateFolder(workspace);
        return opened.ok ? done(null) : opened;
      },
    },
  };
}

async function fileSystem(workspace: string): Promise<DoctorCheck> {
  const supported = await leaseSupport(workspace);
  return supported.ok ? inOrder('file-system', 'can hold locks') : asRefused('file-system', supported.refusal);
}

async function lease(workspace: string): Promise<DoctorCheck> {
  const id = 'lease';
  const file = stateFolderOf(workspace).leaseDb;
  try {
    const found = await lstat(file);
    if (found.isFile() && found.size === 0)
      return (await isOwned(file))
        ? inOrder(id, 'a process runs the missions of this folder now; another one has to wait for it')
        : inOrder(id, 'ownership can be taken');
  } catch (error) {
    return errorCode(error) === 'ENOENT'
      ? inOrder(id, 'no process has run missions here yet')
      : inDisorder(id, errorWords(error), 'Make the state folder readable for your user.');
  }
  return {
    ...inDisorder(id, `${file} is not empty: it is not our lease`, `Delete ${file}; it holds no data.`),
    repair: {
      explains: `delete ${file}, which holds no data, after which ownership can be taken again`,
      does: async () => {
        if (!(await lease(workspace)).repair) return done(null);
        return attempt(`${file} cannot be deleted`, () => rm(file));
      },
    },
  };
}

async function store(
  workspace: string,
  place: JournalPlace,
  readMissions: ReadMissions,
): Promise<readonly DoctorCheck[]> {
  const id = 'state-store';
  const open = (): ReturnType<typeof openNodeViewer> => openNodeViewer({ workspaceDir: workspace, journal: place });
  const viewer = await open();
  if (!viewer.ok) {
    const check = asRefused(id, viewer.refusal);
    const repair = await storeRepair(workspace, viewer.refusal);
    if (repair === null) return [check];
    // Looks again. The store may be in order by now, or need another repair.
    const does = async (): Promise<Outcome<null>> => {
      const again = await open();
      if (!again.ok) return (await storeRepair(workspace, again.refusal)) === repair ? repair.does(workspace) : again;
      await again.value?.close();
      return done(null);
    };
    return [{ ...check, repair: { explains: repair.explains, does } }];
  }
  if (viewer.value === null) return [inOrder(id, 'no journal yet')];
  const { journal } = viewer.value;
  try {
    const streams = await journal.streams();
    const broken: string[] = [];
    let events = 0;
    for (const { stream } of streams) {
      const report = await journal.verifyStream(stream);
      events += report.events;
      if (!report.valid) broken.push(`${stream} at event ${report.first_bad ?? '?'}`);
    }
    const { missions, unreadable } = await readMissions(journal);
    const chain =
      broken.length === 0
        ? inOrder(id, `${streams.length} streams, ${events} events, every chain holds`)
        : inDisorder(
            id,
            `The chain is broken: ${broken.join(', ')}`,
            `Keep a copy of the state folder: it is the record of what happened. See where: mission journal verify ${broken[0]?.split(' ')[0] ?? ''}`,
          );
    const interrupted = (await viewer.value.isOwned()) ? [] : missions.filter(({ under_way }) => under_way);
    const reading =
      unreadable[0] === undefined
        ? inOrder(
            'missions',
            `${missions.length} missions${interrupted.length > 0 ? `, interrupted: ${interrupted.map(({ mission_id }) => mission_id).join(', ')} (\`mission resume\` goes on with one)` : ''}`,
          )
        : inDisorder(
            'missions',
            unreadable.map(({ mission_id, reason }) => `${mission_id}: ${reason}`).join('; '),
            `Keep a copy of the state folder, then see where: mission journal verify ${unreadable[0].mission_id}`,
          );
    return [chain, reading];
  } catch (error) {
    return [inDisorder(id, errorWords(error), 'Keep a copy of the state folder: it is the record of what happened.')];
  } finally {
    await viewer.value.close();
  }
}

interface StoreRepair {
  readonly explains: string;
  does(workspace: string): Promise<Outcome<null>>;
}

/** What the doctor does about a store that cannot be opened, by the code of the refusal. */
const storeRepairs: Partial<Readonly<Record<RefusalCode, StoreRepair>>> = {
  STATE_STORE_CORRUPT: {
    explains:
      'move state.db aside inside the state folder; nothing is deleted, and the next mission starts an empty journal',
    does: (workspace) =>
      attempt(`${stateFolderOf(workspace).stateDb} cannot be moved aside`, () => setAside(workspace)),
  },
  STATE_STORE_UNMARKED: {
    explains: 'write the mark of Mission Control into state.db, which has the tables of a journal; no entry changes',
    does: (workspace) => Promise.resolve(markStore(stateFolderOf(workspace).stateDb)),
  },
};

/** Null: the doctor has no repair for this refusal, or a process owns the missions. */
async function storeRepair(workspace: string, { code }: Refusal): Promise<StoreRepair | null> {
  const repair = storeRepairs[code];
  return repair === undefined || (await isOwned(stateFolderOf(workspace).leaseDb)) ? null : repair;
}

/** @param failed what a person reads before the reason of a failure */
async function attempt(failed: string, work: () => Promise<void>): Promise<Outcome<null>> {
  try {
    await work();
    return done(null);
  } catch (error) {
    const help = errorHelp(error, 'Make the state folder and what is in it writable for your user.');
    return refused('STATE_STORE_UNWRITABLE', `${failed}: ${errorWords(error)}.`, help);
  }
}

/** Renames the store, so that a person can still read what happened. */
async function setAside(workspace: string): Promise<void> {
  const { root, stateDb } = stateFolderOf(workspace);
  const place = path.join(root, `set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  await mkdir(place, { mode: 0o700 });
  const name = path.basename(stateDb);
  for (const file of await readdir(root)) {
    if (file === name || file.startsWith(`${name}-`)) await rename(path.join(root, file), path.join(place, file));
  }
}

export function inOrder(id: string, detail: string): DoctorCheck {
  return { id, ok: true, required: true, detail, fix: '' };
}

export function inDisorder(id: string, detail: string, fix: string): DoctorCheck {
  return { id, ok: false, required: true, detail, fix };
}

export function asRefused(id: string, { reason, next }: Refusal): DoctorCheck {
  return inDisorder(id, reason, next[0] ?? '');
}
