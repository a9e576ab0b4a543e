import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MissionEvent } from '../../../src/core/model/events';
import { decision, until } from '../../cli/cliBed';
import { taskIds, type CampaignBed, type Listed } from './bed';
import { Hosts } from './hosts';
import type { HostNetwork } from './network';
import { scheduleOf, waitsIn, type Disturbance, type Point } from './schedule';

export interface CampaignOptions {
  readonly missions: number;
  readonly hosts: number;
  readonly say: (words: string) => void;
}

/** What was done to a host or the database, and what followed. */
export interface Happened {
  readonly kind: Disturbance['kind'];
  readonly how: string;
  /** False: by then the point was passed or not reached. */
  readonly met: boolean;
  /** Seconds until a host went on with the mission; null: none did. */
  readonly seconds: number | null;
}

/** A task that a person decided about, because its mission blocked. */
export interface Blocked {
  readonly plan: string;
  readonly task: string;
  readonly code: string | null;
  readonly decision: 'retry' | 'cancel';
}

export interface Campaign {
  readonly missions: number;
  readonly hosts: number;
  readonly repositories: number;
  readonly happened: readonly Happened[];
  readonly blocked: readonly Blocked[];
  readonly completed: number;
  readonly canceled: number;
  /** Sentences: a mission that did not end, or a task of a completed one that never ran. */
  readonly lost: readonly string[];
  /** Sentences: a task that ran more often than its journal explains. */
  readonly double: readonly string[];
  /** Runs of tasks that the journal explains by a lost attempt. */
  readonly again: number;
  readonly verified: number;
  /** Sentences about evidence that does not verify. */
  readonly unverified: readonly string[];
  /** Hosts that SIGTERM did not end. */
  readonly stayed: number;
  /** Claims of all missions. */
  readonly claims: number;
  readonly minutes: number;
}

/** Code of a task that was in progress where its host was lost. */
const unknownEnd = 'MISSING_REQUIRED_INPUT';
/** A blocked mission of this many is canceled; the others are retried. */
const canceledOf = 4;
/** Seconds without the end of a mission after which the campaign gives up. */
const patience = 300;
/** A lease ends ten seconds after the last word of its host, and another host looks each second. */
const cutSeconds = 30;

/** Runs missions on hosts that are killed and cut off meanwhile, and looks from outside at what was lost or done twice. */
export async function runCampaign(
  bed: CampaignBed,
  network: HostNetwork | null,
  options: CampaignOptions,
): Promise<Campaign> {
  const { missions, hosts: count, say } = options;
  const began = performance.now();
  const schedule = scheduleOf(missions, network !== null);
  const plans = schedule.map((_, index) => `m${index + 1}`);
  const planned = new Map(plans.map((plan, index) => [plan, schedule[index] ?? null]));
  await bed.approve(plans, (plan) => waitsIn(planned.get(plan) ?? null));
  const repositories = 2 * count;
  bed.copyRepository(repositories);
  say(`${missions} plans are approved`);
  const hosts = new Hosts(bed);
  const happened: Happened[] = [];
  for (let host = 0; host < count; host += 1) await hosts.start(host);
  for (let killed = 0; killed < Math.max(1, Math.round(missions / 50)); killed += 1) {
    // It asks each second.
    await delay(1500);
    await hosts.kill(killed % count);
    happened.push({ kind: 'kill', how: 'while it waits for the queue' satisfies Point, met: true, seconds: null });
    await hosts.start(killed % count);
  }
  const ids = await bed.submitAll(plans);
  say(`${missions} missions are submitted`);
  const run = new Run(bed, network, hosts, say);
  const over = new AbortController();
  const person = run.decide(over.signal);
  const disturbed = run.disturb(planned, over.signal);
  await run.untilEnded(ids);
  over.abort();
  await Promise.all([person, disturbed]);
  const stayed = await hosts.end();
  const listed = await bed.listed();
  const judged = await judge(bed, plans, ids, listed, run);
  return {
    ...{
      missions,
      hosts: count,
      repositories,
      stayed,
      happened: [...happened, ...run.happened()],
      blocked: run.blocked,
    },
    ...judged,
    claims: listed.filter(({ id }) => ids.includes(id)).reduce((sum, { claims }) => sum + claims, 0),
    minutes: (performance.now() - began) / 60_000,
  };
}

class Run {
  private readonly disturbances: (Omit<Happened, 'seconds'> & { readonly plan: string; readonly from: number })[] = [];
  readonly blocked: Blocked[] = [];

  constructor(
    private readonly bed: CampaignBed,
    private readonly network: HostNetwork | null,
    readonly hosts: Hosts,
    private readonly say: (words: string) => void,
  ) {}

  async untilEnded(ids: readonly string[]): Promise<void> {
    let [left, since] = [ids.length, performance.now()];
    while (left > 0 && performance.now() - since < patience * 1000) {
      await delay(1000);
      const now = await this.bed.left(ids);
      if (now < left) {
        [left, since] = [now, performance.now()];
        this.say(`${left} missions are left`);
      }
    }
  }

  /** Decides as a person at the machine of the host, until the signal. */
  async decide(signal: AbortSignal): Promise<void> {
    const done = new Set<string>();
    while (!signal.aborted) {
      for (const [plan, { folder }] of this.hosts.places) {
        if (done.has(folder) || !existsSync(folder)) continue;
        const { json } = await this.bed.inFolder(folder, 'status', plan);
        const mission = (json.missions as Partial<typeof json.missions> | undefined)?.[0];
        if (mission === undefined) continue;
        if (['completed', 'canceled', 'cancelled', 'failed'].includes(mission.status)) done.add(folder);
        else if (mission.status === 'blocked') await this.decideAbout(plan, folder, mission.tasks);
      }
      await delay(1000);
    }
  }

  private async decideAbout(
    plan: string,
    folder: string,
    tasks: readonly { readonly task_id: string; readonly status: string }[],
  ): Promise<void> {
    const task = tasks.find(({ status }) => status === 'blocked');
    // Another claim may have begun since.
    if (task === undefined || this.hosts.places.get(plan)?.folder !== folder) return;
    const verb = this.blocked.length % canceledOf === canceledOf - 1 ? 'cancel' : 'retry';
    const about = verb === 'retry' ? [plan, task.task_id] : [plan];
    const { code, stdout } = await this.bed.inFolder(folder, verb, ...about, ...decision);
    if (code !== 0) this.say(`${verb} ${plan}: ${stdout}`);
    else
      this.blocked.push({
        ...{ plan, task: task.task_id, decision: verb },
        code: (task as { readonly code?: string | null }).code ?? null,
      });
  }

  /** Does to each mission what is planned, once it waits there. */
  async disturb(planned: ReadonlyMap<string, Disturbance | null>, signal: AbortSignal): Promise<void> {
    const open = new Map([...planned].filter(([, one]) => one !== null));
    while (open.size > 0 && !signal.aborted) {
      const ready = [...open].find(
        ([plan, one]) => this.hosts.places.has(plan) && this.bed.runs(plan, waitsIn(one) ?? ''),
      );
      if (ready === undefined) {
        await delay(200);
        continue;
      }
      const [plan, one] = ready;
      open.delete(plan);
      if (one !== null) await this.disturbOne(plan, one);
    }
  }

  private async disturbOne(plan: string, one: Disturbance): Promise<void> {
    const place = this.hosts.places.get(plan);
    if (place === undefined) return;
    const { host } = place;
    const from = performance.now();
    let met = true;
    if (one.kind === 'restart') {
      await this.bed.postgres.restart();
      this.bed.openGate(plan);
    } else if (one.kind === 'cut') {
      this.network?.cut(host, one.how);
      try {
        await this.wentOn(plan, place.folder, cutSeconds);
        // The lost host sees its task end, and may not start the next one.
        this.bed.openGate(plan);
        await delay(5000);
      } finally {
        this.network?.mend(host, one.how);
      }
    } else if (one.how === 'in the middle of a task') {
      await this.hosts.kill(host);
      met = this.bed.runs(plan, 'T2');
      this.bed.openGate(plan);
      await this.hosts.start(host);
    } else {
      this.bed.openGate(plan);
      await until(() => globSync(path.join(place.folder, '**/TASK_T1.json')).length > 0);
      await this.hosts.kill(host);
      met = !this.bed.ranOutside().some((seen) => seen.plan === plan && seen.task === 'T2');
      await this.hosts.start(host);
    }
    const how = one.kind === 'restart' ? 'PostgreSQL restarted' : one.how;
    this.disturbances.push({ plan, kind: one.kind, how, met, from });
    this.say(`${one.kind}, ${how}: ${plan}${met ? '' : ', missed'}`);
  }

  /** Waits until another claim of the mission has begun, or for so many seconds. */
  private async wentOn(plan: string, folder: string, seconds: number): Promise<void> {
    const over = performance.now() + seconds * 1000;
    while (this.hosts.places.get(plan)?.folder === folder && performance.now() < over) await delay(100);
  }

  happened(): readonly Happened[] {
    return this.disturbances.map(({ plan, kind, how, met, from }) => {
      const next = this.hosts.claims.find((one) => one.plan === plan && one.at > from);
      return { kind, how, met, seconds: next === undefined ? null : (next.at - from) / 1000 };
    });
  }
}

type Judged = Pick<Campaign, 'completed' | 'canceled' | 'lost' | 'double' | 'again' | 'verified' | 'unverified'>;

/** Compares what processes wrote outside with the journal of each mission, and verifies its evidence. */
async function judge(
  bed: CampaignBed,
  plans: readonly string[],
  ids: readonly string[],
  listed: readonly Listed[],
  { blocked, hosts }: Run,
): Promise<Judged> {
  const seen = bed.ranOutside().filter(({ what }) => what === 'begin');
  const lost: string[] = [];
  const double: string[] = [];
  const unverified: string[] = [];
  let [completed, canceled, again, verified] = [0, 0, 0, 0];
  for (const [index, plan] of plans.entries()) {
    const mission = listed.find(({ id }) => id === ids[index]);
    const outcome = mission?.outcome ?? null;
    const byPerson = blocked.some((one) => one.plan === plan && one.decision === 'cancel');
    if (outcome?.status === 'completed') completed += 1;
    else if (outcome !== null && byPerson) canceled += 1;
    else lost.push(`${plan}: ${outcome?.status ?? mission?.state ?? 'unknown'}, ${outcome?.reason ?? 'no outcome'}`);
    const folder = outcome?.folder ?? hosts.places.get(plan)?.folder;
    if (folder === undefined) continue;
    const { code, stdout } = await bed.inFolder(folder, 'evidence', 'verify', plan);
    if (code === 0) verified += 1;
    else unverified.push(`${plan}: ${stdout.slice(0, 500)}`);
    const explained = await lostAttempts(bed, folder, outcome?.mission_id ?? plan);
    for (const task of taskIds) {
      const runs = seen.filter((one) => one.plan === plan && one.task === task).length;
      if (runs === 0 && outcome?.status === 'completed') lost.push(`${plan} ${task} never ran`);
      if (runs > 1 + (explained.get(task) ?? 0)) double.push(`${plan} ${task} ran ${runs} times`);
      else again += Math.max(0, runs - 1);
    }
  }
  return { completed, canceled, lost, double, again, verified, unverified };
}

/** Counts the attempts of each task whose end the journal in a folder calls unknown. */
async function lostAttempts(bed: CampaignBed, folder: string, mission: string): Promise<ReadonlyMap<string, number>> {
  const { json } = await bed.inFolder(folder, 'journal', 'export', mission);
  const lost = new Map<string, number>();
  // A claim that was refused leaves no journal.
  for (const line of (json.lines as readonly string[] | undefined) ?? []) {
    const { event } = JSON.parse(line) as { readonly event: MissionEvent };
    if (event.type === 'RowTransitioned' && event.from === 'in_progress' && event.code === unknownEnd)
      lost.set(event.task_id, (lost.get(event.task_id) ?? 0) + 1);
  }
  return lost;
}
