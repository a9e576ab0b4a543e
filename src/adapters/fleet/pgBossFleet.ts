import { mostCharacters } from '../../contracts/fleetMirror';
import type { Claim, Fleet, FleetEntry, FleetMessage, Hold } from '../../engine/ports/fleet';

/** The part of pg-boss that a fleet uses. The caller loads the package, so that no other program holds it. */
export interface JobQueue {
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch(
    name: string,
    options: { readonly groupConcurrency: number; readonly ignoreGroups: readonly string[] },
  ): Promise<readonly FetchedJob[]>;
  findJobs(name: string, options: object): Promise<readonly FoundJob[]>;
  getQueue(name: string): Promise<object | null>;
  getQueues(): Promise<readonly { readonly name: string }[]>;
  cancel(name: string, id: string): Promise<Settled>;
  touch(name: string, job: JobAttempt, options?: { readonly db: Database }): Promise<Settled>;
  complete(name: string, job: JobAttempt, output: object): Promise<Settled>;
  fail(name: string, job: JobAttempt): Promise<Settled>;
  getDb(): Database & { beginTransaction?(): Promise<Transaction> };
}

interface JobAttempt {
  readonly id: string;
  /** Each claim raises it, so id and number name one claim. */
  readonly retryCount: number;
}

interface FetchedJob extends JobAttempt {
  readonly data: unknown;
}

interface FoundJob extends FetchedJob {
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  readonly priority: number;
  readonly startedOn: Date | null;
  readonly createdOn: Date;
  readonly output: unknown;
}

interface Settled {
  /** Jobs that the call changed: none where another host has claimed the job. */
  readonly affected: number;
}

interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

interface Transaction {
  readonly db: Database;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Name of the queue of pg-boss that holds missions without needs. Others have a queue for each set of needs, because a
 * host fetches by queue.
 */
export const missionQueue = 'missions';

function queueOf(needs: readonly string[]): string {
  return [missionQueue, ...needs].join('/');
}

function fits(queue: string, labels: ReadonlySet<string>): boolean {
  const [name, ...needs] = queue.split('/');
  return name === missionQueue && needs.every((one) => labels.has(one));
}

/** pg-boss takes no shorter one. */
const leaseSeconds = 10;
/** pg-boss takes no longer one: a host hands its mission back before. */
const longestClaimSeconds = 24 * 60 * 60;
/** A mission may be claimed so often: a lost host must not use up the last claim. */
const retryLimit = 10_000;
const exportsTable = 'mission_export';
/** What hosts and people say about missions that run; `run_id` is null where a person says it. */
const messageTable = 'mission_message';
const hostTable = 'mission_fleet_host';
/** Messages that one look reads. */
const messagesAtOnce = 4;

/** Rows of pg-boss go after these seconds: waiting ones after a year, ended ones after 30 days. */
const retention = { retentionSeconds: 365 * 24 * 60 * 60, deleteAfterSeconds: 30 * 24 * 60 * 60 };

/** True: pg-boss has made no tables there. */
export async function isEmptyDatabase(jobs: Pick<JobQueue, 'getDb'>): Promise<boolean> {
  const { rows } = await jobs.getDb().executeSql("SELECT WHERE to_regclass('pgboss.version') IS NULL");
  return rows.length > 0;
}

/**
 * Creates queue and tables where they are missing, by a role that may. Each user who submits creates queues, and pg-boss
 * puts names and tables of queues into its SQL as text. So a constraint says what these are.
 */
export async function createFleetTables(jobs: JobQueue): Promise<void> {
  for (const text of [
    `CREATE TABLE IF NOT EXISTS ${exportsTable} (place bigint GENERATED ALWAYS AS IDENTITY, job uuid, name text, run_id text, content text CHECK (length(content) <= ${mostCharacters.export}), PRIMARY KEY (job, name))`,
    `CREATE TABLE IF NOT EXISTS ${messageTable} (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job uuid, run_id text, content text CHECK (length(content) <= ${mostCharacters.export}))`,
    `CREATE INDEX IF NOT EXISTS ${messageTable}_job ON ${messageTable} (job, place)`,
    `CREATE TABLE IF NOT EXISTS ${hostTable} (id uuid PRIMARY KEY, seen_at timestamptz, content text CHECK (length(content) <= ${mostCharacters.decision}))`,
    // Rows of missions that the queue has let go.
    ...[exportsTable, messageTable].map((one) => `DELETE FROM ${one} WHERE job NOT IN (SELECT id FROM pgboss.job)`),
    'ALTER TABLE pgboss.queue DROP CONSTRAINT IF EXISTS mission_queue',
    "ALTER TABLE pgboss.queue ADD CONSTRAINT mission_queue CHECK (name ~ '^[A-Za-z0-9_./-]+$' AND table_name = 'job_common' AND NOT partition)",
  ])
    await jobs.getDb().executeSql(text);
  if ((await jobs.getQueue(missionQueue)) === null) await createMissionQueue(jobs, missionQueue);
}

async function createMissionQueue(jobs: JobQueue, name: string): Promise<void> {
  await jobs.createQueue(name, {
    policy: 'exclusive',
    retryLimit,
    retryDelay: 0,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: longestClaimSeconds,
    ...retention,
  });
}

export function createPgBossFleet(jobs: JobQueue): Fleet {
  return {
    async submit({ id, plan_hash: key, priority, repository, needs, order }) {
      const queue = queueOf(needs);
      if ((await jobs.getQueue(queue)) === null) await createMissionQueue(jobs, queue);
      // An earlier one may end between the two questions.
      for (;;) {
        const known = (await openJobs(jobs)).find(({ singleton_key: one }) => one === key);
        if (known) return { kind: 'known', id: known.id };
        const job = await jobs.send(queue, order, { id, singletonKey: key, priority, group: { id: repository } });
        if (job !== null) return { kind: 'queued', id: job };
      }
    },
    async claim(labels) {
      const open = await openJobs(jobs);
      const busy = new Set(open.flatMap((one) => (one.state === 'active' ? [one.group_id] : [])));
      const waiting = open.filter((one) => one.state !== 'active' && !busy.has(one.group_id) && fits(one.name, labels));
      for (const name of new Set(waiting.map((one) => one.name))) {
        const [job] = await jobs.fetch(name, { groupConcurrency: 1, ignoreGroups: [...busy] });
        if (job !== undefined) return createClaim(jobs, job, name);
      }
      return null;
    },
    async list() {
      const queues = await Promise.all(
        (await jobs.getQueues()).flatMap(({ name }) =>
          name.split('/')[0] === missionQueue ? [jobs.findJobs(name, { limit: 1000 })] : [],
        ),
      );
      return queues
        .flat()
        .map(entryOf)
        .toSorted((left, right) => (left.submitted_at < right.submitted_at ? -1 : 1));
    },
    open: async () => (await openJobs(jobs)).map(({ id, state }) => ({ id, state: stateNames[state] })),
    exported: (job) => rowsOf(jobs, `SELECT name, run_id FROM ${exportsTable} WHERE job = $1 ORDER BY place`, job),
    heard: (job, place) =>
      rowsOf(
        jobs,
        `SELECT place::float8 AS place, run_id, content FROM ${messageTable} WHERE job = $1 AND run_id IS NOT NULL AND place > $2 ORDER BY place LIMIT ${messagesAtOnce}`,
        job,
        place,
      ),
    async send(job, decision) {
      await rowsOf(jobs, `INSERT INTO ${messageTable} (job, content) VALUES ($1, $2)`, job, JSON.stringify(decision));
    },
    async announce(id, host) {
      await rowsOf(
        jobs,
        `WITH gone AS (DELETE FROM ${hostTable} WHERE seen_at < now() - interval '1 day') INSERT INTO ${hostTable} (id, seen_at, content) VALUES ($1, now(), $2) ON CONFLICT (id) DO UPDATE SET seen_at = now(), content = $2`,
        ...[id, JSON.stringify(host)],
      );
    },
    async hosts() {
      const text = `SELECT content FROM ${hostTable} WHERE seen_at > now() - interval '1 minute' LIMIT 1000`;
      return (await rowsOf<Pick<FleetMessage, 'content'>>(jobs, text)).map(({ content }) => content);
    },
    async isOver(run_id) {
      const text = `SELECT id FROM pgboss.job WHERE id = $1 AND retry_count = $2 AND state IN ('completed', 'cancelled', 'failed')`;
      return (await rowsOf(jobs, text, ...run_id.split(':'))).length > 0;
    },
    async cancel(id) {
      const job = (await openJobs(jobs)).find((one) => one.id === id);
      return job !== undefined && (await jobs.cancel(job.name, id)).affected > 0;
    },
  };
}

/** A mission that waits or runs, as the table of pg-boss has it. */
interface OpenJob {
  readonly id: string;
  readonly name: string;
  readonly singleton_key: string;
  readonly group_id: string;
  readonly state: 'created' | 'retry' | 'active';
}

/** The most urgent first, of all queues of missions. */
function openJobs(jobs: JobQueue): Promise<readonly OpenJob[]> {
  const text = `SELECT id, name, singleton_key, group_id, state FROM pgboss.job WHERE split_part(name, '/', 1) = '${missionQueue}' AND state IN ('created', 'retry', 'active') ORDER BY priority DESC, created_on, id`;
  return rowsOf(jobs, text);
}

const stateNames = {
  ...{ created: 'waiting', retry: 'waiting', active: 'running' },
  ...{ completed: 'ended', cancelled: 'canceled', failed: 'failed' },
} as const satisfies Readonly<Record<FoundJob['state'], FleetEntry['state']>>;

function entryOf(job: FoundJob): FleetEntry {
  const { id, data, state, priority, retryCount, startedOn, createdOn, output } = job;
  return {
    ...{ id, order: data, state: stateNames[state], priority, outcome: output },
    claims: startedOn === null ? 0 : retryCount + (state === 'retry' ? 0 : 1),
    submitted_at: createdOn.toISOString(),
  };
}

/** Rows of our own tables, so that they have the shape that the caller names. */
async function rowsOf<T>(jobs: JobQueue, text: string, ...values: readonly unknown[]): Promise<readonly T[]> {
  return (await jobs.getDb().executeSql(text, [...values])).rows as readonly T[];
}

function createClaim(jobs: JobQueue, job: FetchedJob, queue: string): Claim {
  const run_id = `${job.id}:${job.retryCount}`;
  let isLost = false;
  const heard: number[] = [];
  const hold = async (ask: () => Promise<Settled>): Promise<Hold> => {
    if (!isLost && !(await isHeld(ask))) isLost = true;
    return isLost ? 'lost' : 'held';
  };
  const insert = (text: string, ...values: readonly string[]): Promise<Hold> =>
    hold(() => insertHeld(jobs, queue, job, text, values));
  return {
    id: job.id,
    order: job.data,
    needs: queue.split('/').slice(1),
    run_id,
    exports: () =>
      rowsOf(jobs, `SELECT name, run_id, content FROM ${exportsTable} WHERE job = $1 ORDER BY place`, job.id),
    beat: () => hold(() => jobs.touch(queue, job)),
    record: (name, content) =>
      insert(
        `INSERT INTO ${exportsTable} (job, name, run_id, content) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        ...[job.id, name, run_id, content],
      ),
    tell: (words) =>
      insert(
        `INSERT INTO ${messageTable} (job, run_id, content) VALUES ($1, $2, $3)`,
        ...[job.id, run_id, JSON.stringify(words)],
      ),
    async decisions() {
      // Rows become visible in another order than that of their places.
      const rows = await rowsOf<FleetMessage>(
        jobs,
        `SELECT place::float8 AS place, content FROM ${messageTable} WHERE job = $1 AND run_id IS NULL AND place <> ALL ($2::bigint[]) AND length(content) <= ${mostCharacters.decision} ORDER BY place LIMIT 20`,
        job.id,
        heard,
      );
      heard.push(...rows.map(({ place }) => place));
      return rows.map(({ content }) => content);
    },
    end: (outcome) => hold(() => jobs.complete(queue, job, outcome)),
    handBack: () => hold(() => jobs.fail(queue, job)),
  };
}

/** Writes in the transaction that proves the claim, so that no other host claims the mission in between. */
async function insertHeld(
  jobs: JobQueue,
  queue: string,
  job: JobAttempt,
  text: string,
  values: readonly string[],
): Promise<Settled> {
  const transaction = await jobs.getDb().beginTransaction?.();
  if (transaction === undefined) return { affected: 0 };
  try {
    const settled = await jobs.touch(queue, job, { db: transaction.db });
    if (settled.affected > 0) await transaction.db.executeSql(text, [...values]);
    await transaction.commit();
    return settled;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

async function isHeld(ask: () => Promise<Settled>): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined;
  const silence = new Promise<Settled>((resolve) => {
    limit = setTimeout(() => resolve({ affected: 0 }), leaseSeconds * 1000);
  });
  try {
    return (await Promise.race([ask(), silence])).affected > 0;
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}
