import { setTimeout as delay } from 'node:timers/promises';
import { makeMirrorFolder, MirrorWriter, watcherFolder } from '../../../adapters/inbox/mirror';
import { createInbox } from '../../../adapters/inbox/receive';
import { openJournal } from '../../../adapters/nodeViewer';
import { openStateFolder } from '../../../adapters/state/folder';
import { createLease } from '../../../adapters/state/lease';
import { createTimers, systemClock } from '../../../adapters/system/clock';
import { done, errorWords, refused, type Outcome } from '../../../base/outcome';
import { terminal } from '../../../base/text/marked/terminal';
import type { Actor } from '../../../contracts/vocabulary/actors';
import { FleetWatch } from '../../../engine/fleet/watch';
import { OwnerInbox } from '../../../engine/owner/inbox';
import { insideWorker } from '../../owner/decide';
import { interruption } from '../../owner/interrupt';
import { actorOf, isInsideWorker } from '../../owner/session';
import type { Command } from '../../shell/command';
import { exitCodes } from '../../shell/output';
import { databaseOption, sealsOf, signersOption, signOption, withFleet } from './connection';

/** Milliseconds between two looks at what hosts have said. */
const lookEvery = 1000;

export const fleetWatch: Command = {
  summary: 'Show missions on hosts of a fleet in this workspace, and carry decisions about them to their hosts.',
  details: [
    'While it runs, the page, the lists, `mission status` and the palette show these missions beside those of the workspace. It',
    'shows what hosts say whose key counts here. Ctrl+C ends it; the missions go on.',
  ],
  options: {
    by: { value: 'NAME', help: 'Who watches (default: your user name).' },
    ...signersOption,
    ...signOption,
    ...databaseOption,
  },
  async run(call) {
    const { out } = call;
    if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
    const seals = sealsOf(call);
    const tried = await seals.seal({ kind: 'decision', mission: '' }, '');
    if (!tried.ok) return out.refuse(tried.refusal);
    const stop = interruption();
    try {
      return await withFleet(call, async (fleet) => {
        const mirror = new MirrorWriter(call.workspace);
        const watching = await watcherOf(call.workspace, actorOf(call));
        if (!watching.ok) return out.refuse(watching.refusal);
        const say = (sentence: string): void => out.note(terminal`${sentence}`);
        const watch = new FleetWatch({ fleet, seals, mirror, clock: systemClock, timers: createTimers(), say });
        const inbox = new OwnerInbox(createInbox(watcherFolder(call.workspace), say), watch, () => Promise.resolve());
        try {
          await mirror.begin();
          inbox.open();
          say('This workspace shows missions of the fleet. Ctrl+C ends that.');
          let answers = true;
          while (!stop.requested()) {
            const look = async (): Promise<void> => {
              await mirror.leave(await watching.value.own());
              await watch.look();
            };
            await look().then(
              () => (answers = true),
              (error: unknown) => {
                if (answers) say(`What hosts say cannot be shown: ${errorWords(error)}. The watch goes on.`);
                answers = false;
              },
            );
            await delay(lookEvery);
          }
        } finally {
          await inbox.leave();
          await watching.value.close();
        }
        out.line(terminal`The watch has ended. The missions go on.`);
        out.document({ accepted: true });
        return exitCodes.ok;
      });
    } finally {
      stop.dispose();
    }
  },
};

interface Watcher {
  own(): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Makes this process the one that watches for a workspace. A viewer shows a mission only where a journal is. */
async function watcherOf(workspace: string, actor: Actor): Promise<Outcome<Watcher>> {
  const here = await openStateFolder(workspace);
  if (!here.ok) return here;
  const journal = await openJournal({ kind: 'in_process' }, here.value, 'write');
  if (!journal.ok) return journal;
  const place = await makeMirrorFolder(workspace);
  if (!place.ok) return place;
  const folder = await openStateFolder(place.value);
  if (!folder.ok) return folder;
  const fences = await openJournal({ kind: 'in_process' }, folder.value, 'write');
  if (!fences.ok) return fences;
  const lease = createLease({ file: folder.value.leaseDb, journal: fences.value });
  const close = async (): Promise<void> => {
    await lease.release();
    await fences.value.close();
    await journal.value.close();
  };
  const held = await lease.acquire(actor);
  const own = async (): Promise<Set<string>> => new Set((await journal.value.streams()).map(({ stream }) => stream));
  if (held.ok) return done({ own, close });
  await close();
  return held.refusal.code === 'LEASE_HELD'
    ? refused('LEASE_HELD', 'Another process watches the fleet for this workspace.', 'mission status')
    : held;
}
