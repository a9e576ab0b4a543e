// The scenarios of scripts/fleet-trial.mjs. Each gets a fleet without hosts, and answers what it saw.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { now } from './fleet.mjs';
import { leaseSeconds, packages } from './packages.mjs';

const { Client } = packages('pg');
/** Seconds after which a mission that nothing continues counts as left. */
const patience = 4 * leaseSeconds;
export const steps = 6;
export const stepMs = 1500;

/** Starts three hosts and a mission, and waits until one host is in the middle of its second step. */
async function underWay(fleet) {
  for (const name of ['one', 'two', 'three']) await fleet.start(name);
  const handle = await fleet.control.submit({
    mission: { id: 'm', steps, stepMs },
    key: 'm',
    priority: 0,
    repository: 'r',
  });
  const { pid, host } = await fleet.until(({ what, index }) => what === 'begun' && index === 1, 120);
  await delay(stepMs / 3);
  return { pid, host, handle, isDone: () => fleet.control.isDone(handle) };
}

export async function killed(fleet) {
  const { pid, host, isDone } = await underWay(fleet);
  const at = now();
  fleet.hosts.get(pid).child.kill('SIGKILL');
  return { ...(await continued(fleet, { pid, host, at })), done: await finished(isDone), ...twice(fleet) };
}

export async function cut(fleet) {
  const { pid, host, isDone } = await underWay(fleet);
  const at = now();
  const { way } = fleet.hosts.get(pid);
  way.cut();
  return comeBack(fleet, { pid, host, at, isDone, back: () => way.heal() });
}

export async function asleep(fleet) {
  const { pid, host, isDone } = await underWay(fleet);
  const at = now();
  const { child } = fleet.hosts.get(pid);
  child.kill('SIGSTOP');
  return comeBack(fleet, { pid, host, at, isDone, back: () => child.kill('SIGCONT') });
}

/** Lets a host come back while another one is at its work, and looks at what it still writes. */
async function comeBack(fleet, { pid, host, at, isDone, back }) {
  const next = await continued(fleet, { pid, host, at });
  const backAt = now();
  back();
  const done = await finished(isDone);
  await delay(3000);
  const stale = fleet.events.filter((event) => event.pid === pid && event.at > backAt);
  const count = (wanted) => stale.filter(({ what }) => what === wanted).length;
  const isOver = next.by !== null;
  return {
    ...next,
    done,
    ...twice(fleet),
    staleRecorded: isOver ? count('recorded') : null,
    staleBegun: isOver ? count('begun') : null,
    refusedWith: stale.find(({ what }) => what === 'refused')?.error ?? null,
  };
}

export async function restarted(fleet, server) {
  const { isDone } = await underWay(fleet);
  const at = now();
  await server.restart();
  const up = now();
  const done = await finished(isDone);
  const next = fleet.events.find((event) => event.at > at && event.what === 'recorded');
  const alive = [...fleet.hosts.values()].filter(({ child }) => child.exitCode === null).length;
  return { alive, done, seconds: next === undefined ? null : rounded(next.at - up), ...twice(fleet) };
}

/** Waits until another host does a step of the mission; starts a host with the lost one's name where none does. */
async function continued(fleet, { pid, host, at }) {
  const isOther = (event) => event.pid !== pid && event.what === 'begun';
  const other = await fleet.until(isOther, patience);
  if (other !== undefined) return { by: 'itself', seconds: rounded(other.at - at) };
  const restartedAt = now();
  await fleet.start(host);
  const again = await fleet.until(isOther, patience);
  return again === undefined
    ? { by: null, seconds: null }
    : { by: 'a host of the same name', seconds: rounded(again.at - restartedAt) };
}

async function finished(isDone) {
  for (const limit = now() + patience + (steps * stepMs) / 1000; now() < limit; await delay(200)) {
    if (await isDone().catch(() => false)) return true;
  }
  return false;
}

/** Counts the steps that began more than once, and those that began again after they were recorded. */
function twice({ events }) {
  const begun = events.filter(({ what }) => what === 'begun');
  const again = (event) =>
    events.some(({ what, index, at }) => what === 'recorded' && index === event.index && at < event.at);
  return {
    begunTwice: begun.length - new Set(begun.map(({ index }) => index)).size,
    doneTwice: begun.filter(again).length,
  };
}

/** Looks at whether the engine itself keeps a key single, takes the urgent ones first and limits a repository. */
export async function order(fleet) {
  const submit = (id, key, priority, repository) =>
    fleet.control.submit({ mission: { id, steps: 1, stepMs: 1000 }, key, priority, repository });
  // Of five in this order an engine without priorities gets the right one by chance once in 120 times.
  const priorities = [3, 1, 9, 5, 7];
  for (const priority of priorities) await submit(`p${priority}`, `k${priority}`, priority, `r${priority}`);
  await submit('again', 'k9', 9, 'r9');
  await fleet.start('one');
  const of = (wanted, id) => fleet.until(({ what, mission }) => what === wanted && mission === id, patience);
  for (const priority of priorities) await of('ended', `p${priority}`);
  const taken = fleet.events.filter(({ what }) => what === 'taken').map(({ mission }) => mission);
  await fleet.start('two');
  await submit('left', 'left', 0, 'r');
  await submit('right', 'right', 0, 'r');
  const ends = await Promise.all([of('ended', 'left'), of('ended', 'right')]);
  const begins = await Promise.all([of('taken', 'left'), of('taken', 'right')]);
  return {
    single: !taken.includes('again'),
    urgentFirst: taken.join() === ['p9', 'p7', 'p5', 'p3', 'p1'].join(),
    oneOfRepository: Math.max(begins[0].at, begins[1].at) >= Math.min(ends[0].at, ends[1].at),
  };
}

/** Measures what three hosts cost that wait, and what a mission costs that waits in a step. */
export async function idle(fleet) {
  for (const name of ['one', 'two', 'three']) await fleet.start(name);
  const waiting = await costs(fleet, 20);
  await fleet.control.submit({
    mission: { id: 'm', steps: 1, stepMs: 60_000 },
    key: 'm',
    priority: 0,
    repository: 'r',
  });
  await fleet.until(({ what }) => what === 'begun', patience);
  const held = await costs(fleet, 20);
  const bytes = await sizeOf(fleet);
  for (let index = 0; index < 200; index += 1)
    await fleet.control.submit({
      mission: { id: `q${index}`, steps: 0, stepMs: 0 },
      key: `q${index}`,
      priority: 0,
      repository: 'r',
    });
  return { waiting, held, bytes: Math.round(((await sizeOf(fleet)) - bytes) / 200) };
}

async function costs(fleet, seconds) {
  const pids = [...fleet.hosts.keys()];
  const before = [await transactions(fleet), cpuOf(pids)];
  await delay(seconds * 1000);
  const after = [await transactions(fleet), cpuOf(pids)];
  const perMinute = (index) => ((after[index] - before[index]) * 60) / seconds;
  const rss = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
  const [{ count }] = await ask(fleet, 'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()');
  return {
    perMinute: Math.round(perMinute(0)),
    cpu: rounded(perMinute(1) / pids.length),
    memory: Math.round(rss.reduce((sum, one) => sum + one, 0) / pids.length),
    // Without the one that counts.
    connections: Number(count) - 1,
  };
}

async function transactions(fleet) {
  // A session reports its transactions at most once a second.
  await delay(1500);
  const [row] = await ask(
    fleet,
    'SELECT xact_commit + xact_rollback AS all FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row.all);
}

async function sizeOf(fleet) {
  return Number((await ask(fleet, 'SELECT pg_database_size(current_database()) AS size'))[0].size);
}

async function ask({ url }, statement) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

/** Seconds of CPU that processes used. */
function cpuOf(pids) {
  const ticks = pids.map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' '));
  return ticks.reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) / 100;
}

function rounded(value) {
  return Math.round(value * 10) / 10;
}
