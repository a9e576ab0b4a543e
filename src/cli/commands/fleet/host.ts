import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { planFiles } from '../../../adapters/documents/planFiles';
import { sha256Of } from '../../../adapters/files/bytes/sha256';
import { exportLine } from '../../../adapters/journal/hash';
import { makeFoldersFor } from '../../../adapters/files/place';
import { checkOut, pushWork } from '../../../adapters/git/missionCommits';
import { packHandoff, unpackHandoff } from '../../../adapters/handoff/copy';
import { createWorkerCatalog } from '../../../adapters/launches/workerCatalog';
import { sandboxHere } from '../../../adapters/sandbox/sandboxes';
import { createApprovals } from '../../../adapters/state/approvals';
import { claimedFolders, removeClaim, writeClaim } from '../../../adapters/state/claim';
import { startsHeld } from '../../../adapters/user/machineHold';
import { fleetOrders } from '../../../adapters/user/fleet';
import { createTimers, systemClock } from '../../../adapters/system/clock';
import { systemIds } from '../../../adapters/system/clock';
import { machineIdentity } from '../../../adapters/system/machine';
import { parsedJson } from '../../../base/json';
import { endedWord } from '../../../base/text/words';
import { done, errorWords, refused, type Outcome } from '../../../base/outcome';
import { terminal } from '../../../base/text/marked/terminal';
import {
  fleetExportSchema,
  type FactLabel,
  type FleetHost,
  type FleetOrder,
  type PackedExport,
} from '../../../contracts/fleet';
import type { Actor } from '../../../contracts/vocabulary/actors';
import { agentNames } from '../../../contracts/vocabulary/workers';
import { wordsAtOnce } from '../../../engine/fleet/hostTalk';
import { labelsOfAgent } from '../../../engine/fleet/order';
import { serveClaim, type HostDesk, type OwnedFolder } from '../../../engine/fleet/serve';
import type { Claim } from '../../../engine/ports/fleet';
import type { Launches } from '../../../engine/ports/launches';
import { confinementOf, confinementOption } from '../../owner/confinement';
import { insideWorker } from '../../owner/decide';
import { interruption } from '../../owner/interrupt';
import { actorOf, agentsOf, isInsideWorker, ownedBy, workerOptions } from '../../owner/session';
import { progressListener } from '../../show/progress';
import { UsageError, type Command, type Invocation } from '../../shell/command';
import { exitCodes } from '../../shell/output';
import {
  databaseOption,
  fleetVariable,
  labelsOf,
  labelsOption,
  sealsOf,
  signersOption,
  signOption,
  withFleet,
} from './connection';

/** Events of a mission that are said at once. */
const linesAtOnce = 200;

/** Milliseconds between two looks of an idle host for a mission, and after which it says again what it has. */
const lookEvery = 1000;
const announceEvery = 20_000;

export const fleetHost: Command = {
  usage: '--folder DIR',
  summary: 'Run missions of a fleet on this machine, one after another.',
  details: [
    'The host takes the most urgent mission that you submitted and whose needs it has, checks its commit out below DIR and runs it as',
    '`mission run` does. Before each attempt it records in the database what is done, so another host can go on. A mission that waits',
    'for a person stays here, and the host takes the next one. Ctrl+C or SIGTERM lets the current attempts end, hands missions back',
    'and ends.',
  ],
  options: {
    folder: { value: 'DIR', help: 'Where repositories and folders of missions are kept.' },
    labels: {
      ...labelsOption,
      help: 'What else the machine has, such as gpu,big. Its agents and their versions are labels by themselves.',
    },
    push: {
      help: 'Push with the credentials of this user, to a new branch of the repository of a mission whose order asks for it.',
    },
    repository: {
      value: 'URL',
      multiple: true,
      help: 'The beginning of addresses that orders of other people may name, such as https://example.com/team/ (default: none).',
    },
    ...confinementOption,
    confinement: {
      value: 'MODE',
      help: 'required, preferred or off (default: required for what another person signed, else preferred); a plan can ask for more, never for less.',
    },
    once: {
      help: 'End after one mission, also where it waits for a person, or at once where none waits in the queue.',
    },
    by: { value: 'NAME', help: 'Who runs the host (default: your user name).' },
    ...signersOption,
    ...signOption,
    ...databaseOption,
    ...workerOptions,
  },
  needs: ['folder'],
  anywhere: () => true,
  async run(call) {
    const { out } = call;
    const given = labelsOf(call, 'labels');
    const asked = confinementOf(call);
    const repositories = repositoriesOf(call);
    if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
    const seals = sealsOf(call);
    const tried = await seals.seal({ kind: 'export', order_id: '' }, '');
    if (!tried.ok) return out.refuse(tried.refusal);
    const look = lookForLabels(call);
    const id = systemIds.uuid();
    const stop = interruption();
    const ends: object[] = [];
    try {
      return await withFleet(
        call,
        async (fleet) => {
          const open = new Set<Promise<void>>();
          let labels: ReadonlySet<string> = new Set();
          let announced = -Infinity;
          /** Frees folders whose mission no host goes on with, also those that an earlier process left. */
          const free = async (): Promise<void> => {
            for (const { workspace, job, run_id } of await claimedFolders(missionsOf(call))) {
              if (!(await fleet.isOver(run_id))) continue;
              await fleetOrders.keep(job, 'ended');
              await removeClaim(workspace);
            }
          };
          /** Looks now and then for what this host has, because agents are updated, and says it. */
          const announce = async (): Promise<void> => {
            if (performance.now() - announced < announceEvery) return;
            const now = [...given, ...(await look())];
            if (announced < 0 || now.join() !== [...labels].join())
              out.note(
                terminal`This host takes missions that need ${now.length === 0 ? 'nothing' : `at most ${now.join(', ')}`}.`,
              );
            labels = new Set(now);
            await free();
            announced = performance.now();
            const host: FleetHost = { host: machineIdentity().host, labels: now };
            const sealed = await seals.seal({ kind: 'host' }, JSON.stringify(host));
            if (sealed.ok) await fleet.announce(id, sealed.value);
          };
          /** Resolves when the mission has ended, or only waits for a person. */
          const serve = (claim: Claim): Promise<void> =>
            new Promise((resolve, reject) => {
              const rests = call.flag('once') ? {} : { rests: resolve };
              const host = { stop, labels, seals, asked, repositories };
              const served = serveClaim(claim, { ...deskOf(call, claim, host), ...rests }).then(async (end) => {
                await free().catch(() => undefined); // it looks again later
                ends.push({ id: claim.id, ...end });
                tell(call, claim.id, end);
                resolve();
              });
              open.add(served);
              served
                .catch((error: unknown) => {
                  out.note(terminal`${claim.id}: ${errorWords(error)}`);
                  reject(error instanceof Error ? error : new Error(String(error)));
                })
                .finally(() => open.delete(served));
            });
          let waits = '';
          const waitsFor = (why: string): null => {
            if (why !== waits) out.note(terminal`${why} The host asks on.`);
            waits = why;
            return null;
          };
          const next = async (): Promise<Claim | null> => {
            const hold = await startsHeld();
            if (hold) return waitsFor(hold.reason);
            try {
              await announce();
              const found = await fleet.claim(labels);
              waits = '';
              return found;
            } catch (error) {
              return waitsFor(`The database does not answer: ${errorWords(error)}.`);
            }
          };
          while (!stop.requested()) {
            const claim = await next();
            if (claim !== null) await serve(claim);
            if (call.flag('once')) break;
            if (claim === null) await delay(lookEvery);
          }
          await Promise.all(open);
          out.line(terminal`The host has ended.`);
          out.document({ served: ends });
          return exitCodes.ok;
        },
        'supervise',
      );
    } finally {
      stop.dispose();
    }
  },
};

/** @throws UsageError */
function repositoriesOf(call: Invocation): readonly string[] {
  const given = call.texts('repository');
  if (given.every((one) => /^(?:https:\/\/|ssh:\/\/|[\w.-]+@)[\w.-]+/.test(one))) return given;
  throw new UsageError(
    '--repository takes the beginning of an address by HTTPS or SSH, such as https://example.com/team/.',
  );
}

function missionsOf(call: Invocation): string {
  return path.join(call.file(call.text('folder') ?? ''), 'missions');
}

function tell({ out }: Invocation, id: string, end: Awaited<ReturnType<typeof serveClaim>>): void {
  if (end.kind === 'lost')
    out.note(terminal`${id}: the fleet counts this host as lost; another host may go on, unless it was canceled.`);
  else if (end.kind === 'handed_back') out.line(terminal`${id}: handed back, so another host goes on.`);
  else {
    const { status, reason } = end.outcome;
    out.line(terminal`${id}: ${endedWord(status)}${reason === null ? '' : `: ${reason}`}`);
  }
}

/** Finds the labels of a host of this call by its options and by a look at the machine; of agents at each call. */
export function lookForLabels(call: Invocation): () => Promise<readonly string[]> {
  const agents = createWorkerCatalog(agentsOf(call));
  const sandbox = sandboxHere(call.environment, null);
  return async () => {
    const { kind } = await sandbox;
    const facts: readonly (FactLabel | null)[] = [
      call.flag('push') ? 'push' : null,
      kind === 'available' ? 'sandbox' : null,
      // Nothing that another person signed runs unconfined, unless the owner of the host says so.
      call.text('signers') !== null &&
      (kind === 'available' || ['off', 'preferred'].includes(call.text('confinement') ?? ''))
        ? 'signed'
        : null,
    ];
    const found = agentNames.map(async (name) => {
      const agent = await agents.resolve(name);
      return agent.ok ? labelsOfAgent(name, agent.value.version) : [];
    });
    return [...facts.filter((fact) => fact !== null), ...(await Promise.all(found)).flat()];
  };
}

function deskOf(
  call: Invocation,
  { id }: Claim,
  host: Pick<HostDesk, 'stop' | 'labels' | 'seals' | 'asked' | 'repositories'>,
): HostDesk {
  const { out } = call;
  const root = call.file(call.text('folder') ?? '');
  const actor = actorOf(call);
  return {
    ...{ clock: systemClock, timers: createTimers(), ids: systemIds, actor, ...host },
    name: machineIdentity().host,
    approvals: createApprovals(root),
    orders: fleetOrders,
    async checkOut(run_id, { repository, commit }) {
      const folder = path.join(missionsOf(call), run_id.replace(':', '-'));
      const made = await checkOut({ repository, commit, root, folder });
      const named = made.ok ? await writeClaim(folder, id, run_id) : made;
      return named.ok ? done(folder) : named;
    },
    push: ({ repository, commit }, folder, work) => pushWork({ repository, commit, root, folder }, work),
    own: (folder, { order_id }, guard) => own(call, { folder, order_id, actor, seals: host.seals }, guard),
    say: ({ what, plan_id, folder }) => out.note(terminal`${id}: ${plan_id} ${what} in ${folder}`),
  };
}

/** Becomes the owner of a mission's folder, as `mission run` does there. */
async function own(
  call: Invocation,
  {
    folder,
    order_id,
    actor,
    seals,
  }: { readonly folder: string; readonly order_id: string; readonly actor: Actor; readonly seals: HostDesk['seals'] },
  guard: (launches: Launches) => Launches,
): Promise<Outcome<OwnedFolder>> {
  // What a host starts has no use for the way to the database.
  const { [fleetVariable]: _, ...environment } = call.environment;
  const owned = await ownedBy({ ...call, workspace: folder, environment }, actor, (ports) => ({
    ...ports,
    launches: guard(ports.launches),
    // The folder is that of its claim, and the guard asks whether that is held.
    claimed: () => Promise.resolve(null),
  }));
  if (!owned.ok) return owned;
  const { host, node } = owned.value;
  const progress = progressListener(call.out, node.ports.paths);
  host.listen(progress);
  const about = { kind: 'export', order_id } as const;
  let last = 0;
  return done({
    host,
    writePlan: (order) => writePlan(folder, order),
    lines: (mission_id) => async (after) => {
      const lines: string[] = [];
      let length = 0;
      for (const { actor, event, ...entry } of await node.ports.journal.read(mission_id, after, linesAtOnce)) {
        const stored = { ...entry, actor_kind: actor.kind, actor_name: actor.name, event: JSON.stringify(event) };
        const line = exportLine(stored);
        length += line.length;
        if (lines.length > 0 && length > wordsAtOnce) break;
        lines.push(line);
      }
      return { lines, last: after + lines.length };
    },
    async pack(relative) {
      const text = await packHandoff(path.join(folder, ...relative.split('/')), last + 1);
      const sealed = text === null ? null : await seals.seal(about, text);
      if (sealed?.ok !== true) return null;
      last += 1;
      const content = JSON.stringify(sealed.value);
      return { name: sha256Of(content), content };
    },
    async unpack(exports) {
      let newest: PackedExport | null = null;
      for (const { name, content } of exports) {
        const opened = await seals.open(about, parsedJson(content));
        if (!opened.ok) return opened;
        const read = fleetExportSchema.safeParse(parsedJson(opened.value?.text ?? ''));
        if (name !== sha256Of(content) || !read.success) return notOurs(order_id);
        if (newest === null || read.data.n > newest.n) newest = read.data;
      }
      if (newest === null) return notOurs(order_id);
      last = newest.n;
      const to = `${folder}-handoff`;
      await unpackHandoff(newest, to);
      return done(to);
    },
    async close() {
      progress.dispose();
      await node.close();
    },
  });
}

function notOurs(order_id: string): ReturnType<typeof refused> {
  return refused(
    'FLEET_ORDER_REFUSED',
    `What the database holds of order ${order_id} is not only exports of hosts that count here, so nothing goes on from it.`,
    'Submit the plan again.',
  );
}

async function writePlan(folder: string, { plan_id, plan }: FleetOrder): Promise<Outcome<string>> {
  const relative = `docs/plans/PLAN_${plan_id}.json`;
  const place = await makeFoldersFor(folder, relative, 0o755);
  if (place.kind === 'refused')
    return refused('PLAN_UNWRITABLE', `${relative} cannot be written: ${place.reason}.`, 'Submit the plan again.');
  const now = await planFiles.read(place.absolute);
  const written = await planFiles.write(place.absolute, Buffer.from(plan, 'base64'), now.sha256);
  return written.ok ? done(place.absolute) : written;
}
