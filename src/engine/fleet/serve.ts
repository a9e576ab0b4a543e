import type { FleetOrder, FleetOutcome } from '../../contracts/fleet';
import { runner, type Actor } from '../../contracts/vocabulary/actors';
import { evidenceDir } from '../../core/evidence/places';
import { missionStatus } from '../../core/mission/status';
import { refused, type Outcome } from '../../base/outcome';
import type { MissionEngine } from '../mission/engine';
import type { RunRequest } from '../mission/startRequirements';
import type { MissionHost } from '../owner/host';
import { defaultWorkerOfPlans } from '../plans/check';
import type { Canceling } from '../ports/drafts';
import type { Approvals } from '../ports/engine';
import type { Claim, FleetExport, FleetSeals, Hold, OrderStates, PushedWork } from '../ports/fleet';
import type { Launches } from '../ports/launches';
import { HeldClaim, type HeldBy } from './heldClaim';
import { HostTalk, type ReadLines } from './hostTalk';
import { readOrder, type SealedOrder } from './order';
import { utcText } from '../../base/text/amounts';

export interface HostDesk extends Omit<HeldBy, 'pack'> {
  /** Who runs the host. */
  readonly actor: Actor;
  readonly name: string;
  readonly labels: ReadonlySet<string>;
  /** Beginnings of addresses of repositories that another person may name. */
  readonly repositories: readonly string[];
  /** What its owner asks for; a plan can only be stricter. Absent: a sandbox for orders that another person signed. */
  readonly asked: Pick<RunRequest, 'confinement' | 'agent_network'>;
  readonly seals: FleetSeals;
  readonly approvals: Pick<Approvals, 'use'>;
  readonly orders: OrderStates;
  readonly stop: Canceling;
  /** Makes the folder of a mission from its commit, which names the claim. Refused: nothing is left of it. */
  checkOut(run_id: string, order: FleetOrder): Promise<Outcome<string>>;
  /** Pushes what such a folder holds as a branch, and returns the branch. */
  push(order: FleetOrder, folder: string, work: PushedWork): Promise<Outcome<string>>;
  own(folder: string, order: FleetOrder, guard: (launches: Launches) => Launches): Promise<Outcome<OwnedFolder>>;
  /** Called each time that the mission only waits for a person. Absent: it ends for the fleet then. */
  readonly rests?: () => void;
  /** Tells a person who watches the host. */
  say(event: { readonly what: 'began' | 'went on' | 'ended'; readonly plan_id: string; readonly folder: string }): void;
}

export interface OwnedFolder {
  readonly host: MissionHost;
  /** Writes the plan of the order at its place, and returns that place. */
  writePlan(order: FleetOrder): Promise<Outcome<string>>;
  /** The files of a handoff folder of this folder, sealed for the claim. */
  pack: HeldBy['pack'];
  /** Reads journalled events of a mission after one of them. */
  lines(mission_id: string): ReadLines;
  /** The folder of the newest handoff in exports. Refused: one of them does not count here for this order. */
  unpack(exports: readonly FleetExport[]): Promise<Outcome<string>>;
  close(): Promise<void>;
}

/** Hours after which a host hands a mission back: pg-boss ends a claim after 24. */
const longestHours = 23;

export type Served =
  | { readonly kind: 'ended'; readonly outcome: FleetOutcome }
  /** Another host goes on with it. */
  | { readonly kind: 'handed_back' }
  | { readonly kind: 'lost' };

/** Runs the mission of a claim to its end, or until this host has to let go of it. */
export async function serveClaim(claim: Claim, desk: HostDesk): Promise<Served> {
  let pack: HeldBy['pack'] = () => Promise.resolve(null);
  let order_id: string | null = null;
  const keep = async (hold: Hold, state: 'recorded' | 'ended'): Promise<Hold> => {
    if (hold === 'held' && order_id !== null) await desk.orders.keep(order_id, state);
    return hold;
  };
  const recording: Claim = {
    ...claim,
    record: async (name, content) => keep(await claim.record(name, content), 'recorded'),
  };
  const held = new HeldClaim(recording, { ...desk, pack: (path) => pack(path) });
  const end = async (outcome: FleetOutcome): Promise<Served> => {
    const sealed = await desk.seals.seal({ kind: 'outcome', mission: claim.id }, JSON.stringify(outcome));
    const hold = await keep(await held.ask(() => claim.end(sealed.ok ? sealed.value : outcome)), 'ended');
    return hold === 'lost' ? { kind: 'lost' } : { kind: 'ended', outcome };
  };
  const handBack = async (): Promise<Served> => ({
    kind: (await held.ask(() => claim.handBack())) === 'held' ? 'handed_back' : 'lost',
  });
  const refuse = (refusal: Extract<Begun, { ok: false }>['refusal'], folder: string | null): Promise<Served> =>
    end({
      status: 'refused',
      mission_id: null,
      host: desk.name,
      folder,
      branch: null,
      code: refusal.code,
      reason: cut(refusal.reason),
    });
  try {
    const read = await readOrder(claim.order, desk.seals, desk.clock.now(), desk.repositories);
    if (!read.ok) return await refuse(read.refusal, null);
    const { order } = read.value;
    const lacking = [...order.needs, ...(order.push ? ['push'] : [])].filter((one) => !desk.labels.has(one));
    if (lacking.length > 0) return await refuse(misplaced(lacking).refusal, null);
    if (order.order_id !== claim.id || order.needs.join() !== claim.needs.join())
      return await refuse(copied.refusal, null);
    const used = await useUp(order, claim.id, desk);
    if (!used.ok) return await refuse(used.refusal, null);
    const exports = await claim.exports().catch(() => null);
    if (exports === null) return { kind: 'lost' };
    const before = await desk.orders.stateOf(order.order_id);
    if (!before.ok) return await refuse(before.refusal, null);
    if (before.value === 'ended' || (before.value === 'recorded' && exports.length === 0))
      return await refuse(revived(before.value).refusal, null);
    order_id = order.order_id;
    const folder = await desk.checkOut(claim.run_id, order);
    if (!folder.ok) return await refuse(folder.refusal, null);
    const owned = await desk.own(folder.value, order, (launches) => held.guard(launches));
    if (!owned.ok) return await refuse(owned.refusal, folder.value);
    const { host } = owned.value;
    pack = owned.value.pack;
    host.listen(held);
    try {
      const begun = await begin(read.value, exports, owned.value, desk);
      if (!begun.ok) {
        await host.release();
        // A person stopped everything on this machine, and may allow it again.
        if (begun.refusal.code === 'STARTS_HELD') return await handBack();
        return await refuse(begun.refusal, folder.value);
      }
      const engine = begun.value;
      const { plan_id } = order;
      desk.say({ what: exports.length === 0 ? 'began' : 'went on', plan_id, folder: folder.value });
      held.begin({ host, mission_id: engine.missionId });
      const { name, seals, clock } = desk;
      const talk = new HostTalk(claim, held, {
        ...{ clock, seals, name, folder: folder.value, host, mission_id: engine.missionId },
        lines: owned.value.lines(engine.missionId),
      });
      host.listen(talk);
      const letsGo = await staySettled(host, engine, held, talk, desk);
      await held.recorded();
      await talk.say();
      desk.say({ what: 'ended', plan_id, folder: folder.value });
      if (held.isLost) return { kind: 'lost' };
      const { mission } = engine;
      if (letsGo && mission && engine.halt === null && mission.execution !== 'REPORTED') return await handBack();
      const status = engine.halt ? 'halted' : mission ? missionStatus(mission) : 'lost';
      const pushes = order.push && status === 'completed';
      const pushed = pushes
        ? await desk.push(order, folder.value, {
            branch: `mission/${plan_id}/${claim.run_id.replace(':', '-')}`,
            evidence: evidenceDir(plan_id),
            message: `Mission ${engine.missionId}: ${status}\n\nPlan ${plan_id} ${order.plan_sha256}, on ${desk.name}.`,
            author: desk.actor.name,
            held: async () => (await held.ask(() => claim.beat())) === 'held',
          })
        : order.push
          ? refused('FLEET_NOT_PUSHED', unpushed(folder.value), `mission fleet show ${claim.id}`)
          : null;
      const kept = pushed?.ok === false ? pushed.refusal : null;
      const why = status === 'completed' ? (kept ?? mission?.ending) : (engine.halt ?? mission?.ending ?? kept);
      return await end({
        ...{ status, mission_id: engine.missionId, host: desk.name, folder: folder.value },
        branch: pushed?.ok ? pushed.value : null,
        code: why?.code ?? null,
        reason: why ? cut(why.reason) : null,
      });
    } finally {
      await owned.value.close();
    }
  } finally {
    held.dispose();
  }
}

function unpushed(folder: string): string {
  return `The mission did not complete, and only a completed one is pushed. Its evidence and changes are in ${folder}.`;
}

/** A user of the database can make a row new again. */
function revived(state: 'recorded' | 'ended'): ReturnType<typeof refused> {
  return refused(
    'FLEET_ORDER_REFUSED',
    state === 'ended'
      ? 'The order is over, and its row was made new again.'
      : 'The exports of the order are gone from the database, so what is done would be done again.',
    'Submit the plan again.',
  );
}

/** A machine knows only what it carried out itself, so a copied row would run once on each. */
const copied = refused(
  'FLEET_ORDER_REFUSED',
  'The row is a copy: its order names another row, or another queue.',
  'Submit the plan again.',
);

/** A row lies in the queue of its needs, and each user who can write there can move it. */
function misplaced(lacking: readonly string[]): ReturnType<typeof refused> {
  return refused(
    'FLEET_ORDER_REFUSED',
    `The row was moved: its order needs ${lacking.join(', ')}, which this host does not have.`,
    'Submit the plan again.',
  );
}

/** Every order is carried out once, and the approval of a careful plan counts once, whatever rows say. */
async function useUp(
  { order_id, risk_level, approved }: FleetOrder,
  id: string,
  desk: HostDesk,
): Promise<Outcome<null>> {
  const first = await desk.approvals.use(order_id, id);
  return first.ok && risk_level >= 2 ? desk.approvals.use(approved.nonce, id) : first;
}

type Begun = Outcome<MissionEngine, { readonly code: string; readonly reason: string }>;

/** Starts the mission, or goes on from its newest export. */
async function begin(
  { order, signer }: SealedOrder,
  exports: readonly FleetExport[],
  owned: OwnedFolder,
  desk: HostDesk,
): Promise<Begun> {
  const { host } = owned;
  const plan_path = await owned.writePlan(order);
  if (!plan_path.ok) return plan_path;
  const { plan_id, plan_sha256, approved } = order;
  const { by, at, speaks_to, instructions } = approved;
  const sealed = await host.recordApproval(
    // A signature shows who approved, and an order could name another person.
    { kind: 'human', name: signer ?? by },
    {
      ...{ plan_id, plan_path: `docs/plans/PLAN_${plan_id}.json`, plan_sha256 },
      ...(speaks_to && { speaks_to }),
      ...(instructions && { instructions }),
      reason: `Approved at ${utcText(at)}${signer === null ? '' : ` by ${by}`} where the plan was submitted to the fleet.${signer === null ? '' : ` The order is signed with the SSH key of ${signer}.`}`,
    },
  );
  if (!sealed.ok) return sealed;
  const asked = {
    ...{ actor: desk.actor, default_worker: defaultWorkerOfPlans, require_approval_record: true },
    ...(signer !== null && { confinement: 'required' as const }),
    ...desk.asked,
  };
  if (exports.length === 0) {
    const started = await host.start({ ...asked, plan_path: plan_path.value });
    return started.kind === 'started' ? { ok: true, value: started.engine } : { ok: false, refusal: started.refusal };
  }
  const folder = await owned.unpack(exports);
  if (!folder.ok) return folder;
  const reason = 'The host that had this mission was lost, or handed it back.';
  const resumed = await host.resumeHandoff({ ...asked, folder: folder.value, reason, apply_diff: true, by_host: true });
  return resumed.kind === 'started' ? { ok: true, value: resumed.engine } : { ok: false, refusal: resumed.refusal };
}

/** True: this host has let the mission go. */
async function staySettled(
  host: MissionHost,
  engine: MissionEngine,
  held: HeldClaim,
  talk: HostTalk,
  desk: HostDesk,
): Promise<boolean> {
  const pause = { asked: false };
  let over = (): void => undefined;
  const letsGo = new Promise<void>((resolve) => (over = resolve));
  const letGo = (reason: string): void => {
    if (pause.asked) return;
    pause.asked = true;
    talk.end();
    over();
    void host.command({
      ...{ id: desk.ids.uuid(), mission_id: engine.missionId, actor: runner, expected_seq: null },
      ...{ command: { type: 'PauseMission' }, from_worker: false, reason },
    });
  };
  const { clock, timers } = desk;
  const limit = timers.at(clock.after(clock.now(), longestHours * 3600), () => letGo('A claim ends after a day.'));
  const heard = desk.stop.onRequest(() => letGo(stopReason));
  if (desk.stop.requested()) letGo(stopReason);
  held.onLost(() => letGo('The fleet counts this host as lost, or a person took the mission from it.'));
  try {
    for (;;) {
      const next = talk.next(letsGo);
      await host.settled();
      const waits = !pause.asked && engine.halt === null && engine.mission?.execution !== 'REPORTED';
      if (waits && desk.rests) {
        desk.rests();
        await next;
      } else if (await talk.leave(() => host.releaseIfSettled())) return pause.asked;
    }
  } finally {
    limit.dispose();
    heard.dispose();
  }
}

const stopReason = 'A person or the system ends the host.';

function cut(text: string): string {
  return text.slice(0, 2000);
}
