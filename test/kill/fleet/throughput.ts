import { setTimeout as delay } from 'node:timers/promises';
import { fileOf, type CampaignBed } from './bed';
import { Hosts } from './hosts';

export interface Throughput {
  readonly missions: number;
  /** Milliseconds a mission of `mission run`, one after another. */
  readonly local: number;
  /** Milliseconds a mission, from the first claim to the last end. */
  readonly byHosts: readonly { readonly hosts: number; readonly ms: number }[];
  /** Milliseconds of `mission fleet submit`. */
  readonly submit: number;
  readonly measured: Measured;
}

/** What missions leave in the database and ask of it. */
export interface Measured {
  /** Rows and bytes of a mission. */
  readonly exports: { readonly rows: number; readonly bytes: number };
  readonly messages: { readonly rows: number; readonly bytes: number };
  /** Bytes of all tables and indexes for a mission. */
  readonly stored: number;
  /** Counts transactions of a mission, and of an idle host in a second. */
  readonly transactions: { readonly mission: number; readonly idle: number };
  /** Counts connections of an idle host. */
  readonly connections: number;
  /** Milliseconds of the question that each look asks, with this many missions in the table. */
  readonly looks: readonly { readonly ended: number; readonly ms: number }[];
}

const hostCounts = [1, 2, 4] as const;
/** Ended missions that are copied into the table, so that a look shows how it grows. */
const copies = 40_000;
const idleSeconds = 10;

/** Runs the same small missions by `mission run` and by hosts. Fences and kills are no part of it. */
export async function measureThroughput(
  bed: CampaignBed,
  missions: number,
  say: (words: string) => void,
): Promise<Throughput> {
  const plans = Array.from({ length: missions }, (_, index) => `t${index + 1}`);
  await bed.approve(plans, () => null);
  bed.copyRepository(2 * Math.max(...hostCounts));
  const byHosts: { hosts: number; ms: number }[] = [];
  let [submit, ofMission] = [0, 0];
  for (const count of hostCounts) {
    const began = performance.now();
    const ids = await bed.submitAll(plans);
    submit = (performance.now() - began) / missions;
    const before = await transactions(bed);
    const hosts = new Hosts(bed);
    for (let host = 0; host < count; host += 1) await hosts.start(host);
    while ((await bed.left(ids)) > 0) await delay(500);
    if (count === 1) ofMission = ((await transactions(bed)) - before) / missions;
    await hosts.end();
    const list = ids.map((id) => `'${id}'`).join(', ');
    const text = `SELECT 1000 * extract(epoch FROM max(completed_on) - min(started_on)) FROM pgboss.job WHERE id IN (${list})`;
    const ended = (await bed.listed()).filter(({ id, outcome }) => ids.includes(id) && outcome?.status === 'completed');
    if (ended.length < missions) throw new Error(`${missions - ended.length} of ${missions} missions did not complete`);
    byHosts.push({ hosts: count, ms: (await bed.number(text)) / missions });
    say(`${count} hosts: ${(byHosts.at(-1)?.ms ?? 0).toFixed(0)} ms a mission`);
  }
  const local = await locally(bed, plans);
  say(`mission run: ${local.toFixed(0)} ms a mission`);
  return { missions, local, byHosts, submit, measured: await measure(bed, ofMission) };
}

async function locally(bed: CampaignBed, plans: readonly string[]): Promise<number> {
  const began = performance.now();
  for (const plan of plans) {
    const { code, stdout, stderr } = await bed.mission('run', fileOf(plan));
    if (code !== 0) throw new Error(stdout + stderr);
  }
  return (performance.now() - began) / plans.length;
}

async function measure(bed: CampaignBed, mission: number): Promise<Measured> {
  const missions = await bed.number("SELECT count(*) FROM pgboss.job WHERE state = 'completed'");
  const of = async (table: string): Promise<{ rows: number; bytes: number }> => ({
    rows: (await bed.number(`SELECT count(*) FROM ${table}`)) / missions,
    bytes: (await bed.number(`SELECT sum(octet_length(content)) FROM ${table}`)) / missions,
  });
  const tables = ['mission_export', 'mission_message', 'pgboss.job_common'];
  const stored = await bed.number(`SELECT ${tables.map((one) => `pg_total_relation_size('${one}')`).join(' + ')}`);
  const own = await connections(bed);
  const hosts = new Hosts(bed);
  await hosts.start(0);
  await delay(3000);
  const before = await transactions(bed);
  await delay(idleSeconds * 1000);
  const idle = ((await transactions(bed)) - before) / idleSeconds;
  const ofHost = (await connections(bed)) - own;
  await hosts.end();
  const looks = [await look(bed)];
  await copyEnded(bed);
  looks.push(await look(bed));
  return {
    ...{ exports: await of('mission_export'), messages: await of('mission_message'), stored: stored / missions },
    ...{ transactions: { mission, idle }, connections: ofHost, looks },
  };
}

function transactions(bed: CampaignBed): Promise<number> {
  return bed.number("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'");
}

function connections(bed: CampaignBed): Promise<number> {
  return bed.number("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'");
}

/** The fastest of some runs of the question in `openJobs` of src/adapters/fleet/pgBossFleet.ts. */
async function look(bed: CampaignBed): Promise<{ ended: number; ms: number }> {
  const text =
    "SELECT id, name, singleton_key, group_id, state FROM pgboss.job WHERE split_part(name, '/', 1) = 'missions' AND state IN ('created', 'retry', 'active') ORDER BY priority DESC, created_on, id";
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const began = performance.now();
    await bed.ask(text);
    times.push(performance.now() - began);
  }
  return { ended: await bed.number('SELECT count(*) FROM pgboss.job'), ms: Math.min(...times) };
}

async function copyEnded(bed: CampaignBed): Promise<void> {
  const columns = (
    await bed.ask(
      "SELECT column_name FROM information_schema.columns WHERE table_schema = 'pgboss' AND table_name = 'job_common' AND is_generated = 'NEVER' AND column_name <> 'id'",
    )
  ).map(({ column_name }) => String(column_name));
  await bed.ask(
    `INSERT INTO pgboss.job_common (id, ${columns.join(', ')}) SELECT gen_random_uuid(), ${columns.map((one) => `j.${one}`).join(', ')} FROM (SELECT * FROM pgboss.job_common WHERE state = 'completed' LIMIT 1) j, generate_series(1, ${copies})`,
  );
  await bed.ask('ANALYZE pgboss.job_common');
}
