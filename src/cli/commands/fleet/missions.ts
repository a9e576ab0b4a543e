import { inColumns, terminal } from '../../../base/text/marked/terminal';
import { endedWord } from '../../../base/text/words';
import type { Refusal } from '../../../base/outcome';
import { parsedJson } from '../../../base/json';
import { fleetHostSchema, fleetOutcomeSchema, type FleetHost } from '../../../contracts/fleet';
import { sealedTextSchema } from '../../../contracts/fleetMirror';
import { sealedOrder, whyItWaits } from '../../../engine/fleet/order';
import type { Fleet, FleetEntry } from '../../../engine/ports/fleet';
import { required, type Command, type Invocation } from '../../shell/command';
import { exitCodes } from '../../shell/output';
import { databaseOption, sealsOf, signersOption, withFleet } from './connection';

type ShownEntry = Awaited<ReturnType<typeof shown>>;

export const fleetSetup: Command = {
  summary: 'Create the tables of a fleet in its database.',
  details: [
    'The owner of the database runs it once. What is there stays. No other command creates tables. Another version of',
    'pg-boss needs a new database.',
  ],
  options: databaseOption,
  anywhere: () => true,
  run: (call) =>
    withFleet(
      call,
      () => {
        call.out.line(terminal`The database has the tables of a fleet.`);
        call.out.document({ accepted: true });
        return Promise.resolve(exitCodes.ok);
      },
      'set up',
    ),
};

export const fleetList: Command = {
  summary: 'List the missions of a fleet that wait, run or ended.',
  details: ['The newest stands last. An ended mission is listed for 30 days, and 1000 missions at most.'],
  options: { ...signersOption, ...databaseOption },
  anywhere: () => true,
  run: (call) =>
    withFleet(call, async (fleet) => {
      const { out } = call;
      const missions = await allShown(call, fleet);
      for (const line of inColumns(
        missions.map((one) => [
          ...[one.id, stands(one), one.plan_id ?? 'no order that counts here', one.submitted_at, one.waits ?? ''],
        ]),
      ))
        out.line(line);
      if (missions.length === 0) out.line(terminal`The fleet has no mission.`);
      out.document({ missions });
      return exitCodes.ok;
    }),
};

export const fleetShow: Command = {
  takes: [required.fleetMission],
  summary: 'Show a mission of a fleet, and what its hosts have recorded of it.',
  options: { ...signersOption, ...databaseOption },
  anywhere: () => true,
  run: (call) =>
    withFleet(call, async (fleet) => {
      const { out } = call;
      const [id = ''] = call.positionals;
      const mission = (await allShown(call, fleet)).find((one) => one.id === id);
      if (!mission) return out.refuse(unknown(id));
      const exports = await fleet.exported(id);
      const { outcome } = mission;
      const facts: readonly (readonly [string, string | null])[] = [
        ['state', stands(mission)],
        ['waits', mission.waits],
        ['plan', mission.plan_id ?? 'no order that counts here'],
        ['signed by', mission.signer],
        ['repository', mission.repository],
        ['commit', mission.commit],
        ['needs', mission.needs.length === 0 ? null : mission.needs.join(', ')],
        ['priority', String(mission.priority)],
        ['claims', String(mission.claims)],
        ['exports', String(exports.length)],
        ['outcome', outcome !== null && !mission.proven ? 'not proven: no key that counts here sealed it' : null],
        ['mission', outcome?.mission_id ?? null],
        ['host', outcome?.host ?? null],
        ['folder', outcome?.folder ?? null],
        ['branch', outcome?.branch ?? null],
        ['why', outcome?.reason ?? null],
      ];
      for (const line of inColumns(facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))))
        out.line(line);
      out.document({ ...mission, exports });
      return exitCodes.ok;
    }),
};

export const fleetCancel: Command = {
  takes: [required.fleetMission],
  summary: 'Take a mission from a fleet.',
  details: [
    'A waiting one never starts. The host of a running one starts nothing more of it within seconds; what runs there comes',
    'to its end, and the folder stays.',
  ],
  options: databaseOption,
  anywhere: () => true,
  run: (call) =>
    withFleet(call, async (fleet) => {
      const { out } = call;
      const [id = ''] = call.positionals;
      const known = (await fleet.list()).some((one) => one.id === id);
      if (!known || !(await fleet.cancel(id))) return out.refuse(unknown(id));
      out.line(terminal`${out.paint('green', 'Canceled')}: ${id}`);
      out.document({ accepted: true, id });
      return exitCodes.ok;
    }),
};

/** All missions as people see them. `waits`: why one that waits has no host; null: it does not wait. */
async function allShown(call: Invocation, fleet: Fleet) {
  const missions: ShownEntry[] = [];
  for (const entry of await fleet.list()) missions.push(await shown(call, entry));
  const waiting = missions.some(({ state }) => state === 'waiting');
  const hosts = waiting ? await hostsHeard(call, fleet) : [];
  const busy = new Set(missions.filter(({ state }) => state === 'running').map(({ repository }) => repository));
  return missions.map((one) => ({
    ...one,
    waits:
      one.state === 'waiting' && one.plan_id !== null ? whyItWaits(one.needs, hosts, busy.has(one.repository)) : null,
  }));
}

async function hostsHeard(call: Invocation, fleet: Fleet): Promise<readonly FleetHost[]> {
  const seals = sealsOf(call);
  const hosts: FleetHost[] = [];
  for (const content of await fleet.hosts()) {
    const opened = await seals.open({ kind: 'host' }, parsedJson(content));
    const host = fleetHostSchema.safeParse(parsedJson((opened.ok && opened.value?.text) || ''));
    if (host.success) hosts.push(host.data);
  }
  return hosts;
}

/**
 * A mission of the fleet as people see it, without what its row says without a seal of this user. `plan_id` null: no
 * order that counts here. `signer` null: this user sealed it. Not `proven`: folder and branch are left out.
 */
async function shown(call: Invocation, { order, outcome, ...entry }: FleetEntry) {
  const seals = sealsOf(call);
  const read = await sealedOrder(order, seals);
  const { signer = null, order: sealed } = (read.ok && read.value) || {};
  const { plan_id = null, repository = null, commit = null, needs = [] } = sealed ?? {};
  const opened = await seals.open({ kind: 'outcome', mission: entry.id }, outcome);
  const proven = opened.ok && opened.value !== null;
  const { data: said } = sealedTextSchema.safeParse(outcome);
  const { data: ended = null } = fleetOutcomeSchema.safeParse(said === undefined ? outcome : parsedJson(said.text));
  const known = ended === null || proven ? ended : { ...ended, folder: null, branch: null };
  return { ...entry, plan_id, signer, repository, commit, needs, outcome: known, proven };
}

/** `ended` says less than how the mission ended. */
function stands({ state, outcome }: ShownEntry): string {
  return state === 'ended' && outcome ? endedWord(outcome.status) : state;
}

function unknown(id: string): Refusal {
  return {
    code: 'FLEET_MISSION_UNKNOWN',
    reason: `The fleet has no mission ${id} that waits or runs.`,
    next: ['mission fleet list'],
  };
}
