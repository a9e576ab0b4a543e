import type { Claim, Fleet, FleetExport, FleetMission, Hold } from '../../engine/ports/fleet';

/** The part of pg-boss that a fleet uses. The caller loads the package, so that no other program holds it. */
export interface JobQueue {
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch(name: string, options: object): Promise<readonly FetchedJob[]>;
  touch(name: string, job: JobAttempt, options?: { readonly db: Database }): Promise<Settled>;
  complete(name: string, job: JobAttempt): Promise<Settled>;
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

/** Name of the queue of pg-boss that holds missions. */
export const missionQueue = 'missions';
/** pg-boss takes no shorter one. */
const leaseSeconds = 10;
/** pg-boss takes no longer one: a host hands its mission back before. */
const longestClaimSeconds = 24 * 60 * 60;
/** A mission may be claimed so often: a lost host must not use up the last claim. */
const retryLimit = 10_000;
const exportsTable = 'mission_export';

/** Creates queue and table where they are missing; due once for a database, by a role that may. */
export async function createFleetTables(jobs: JobQueue): Promise<void> {
  await jobs.createQueue(missionQueue, {
    policy: 'exclusive',
    retryLimit,
    retryDelay: 0,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: longestClaimSeconds,
  });
  await jobs
    .getDb()
    .executeSql(
      `CREATE TABLE IF NOT EXISTS ${exportsTable} (place bigint GENERATED ALWAYS AS IDENTITY, job uuid, name text, run_id text, content text, PRIMARY KEY (job, name))`,
    );
}

export function createPgBossFleet(jobs: JobQueue): Fleet {
  return {
    async submit(mission) {
      const { plan_hash: singletonKey, priority, repository: id } = mission;
      const job = await jobs.send(missionQueue, mission, { singletonKey, priority, group: { id } });
      return job === null ? 'known' : 'queued';
    },
    async claim() {
      const [job] = await jobs.fetch(missionQueue, { groupConcurrency: 1 });
      return job === undefined ? null : createClaim(jobs, job);
    },
  };
}

function createClaim(jobs: JobQueue, job: FetchedJob): Claim {
  const mission = job.data as FleetMission;
  const run_id = `${job.id}:${job.retryCount}`;
  let isLost = false;
  const hold = async (ask: () => Promise<Settled>): Promise<Hold> => {
    if (!isLost && !(await isHeld(ask))) isLost = true;
    return isLost ? 'lost' : 'held';
  };
  return {
    mission,
    run_id,
    async exports() {
      const { rows } = await jobs
        .getDb()
        .executeSql(`SELECT name, run_id, content FROM ${exportsTable} WHERE job = $1 ORDER BY place`, [job.id]);
      return rows as readonly FleetExport[];
    },
    beat: () => hold(() => jobs.touch(missionQueue, job)),
    record: (name, content) => hold(() => recordExport(jobs, job, { name, run_id, content })),
    end: () => hold(() => jobs.complete(missionQueue, job)),
    handBack: () => hold(() => jobs.fail(missionQueue, job)),
  };
}

/** Writes in the transaction that proves the claim, so that no other host claims the mission in between. */
async function recordExport(jobs: JobQueue, job: JobAttempt, one: FleetExport): Promise<Settled> {
  const transaction = await jobs.getDb().beginTransaction?.();
  if (transaction === undefined) return { affected: 0 };
  try {
    const settled = await jobs.touch(missionQueue, job, { db: transaction.db });
    if (settled.affected > 0)
      await transaction.db.executeSql(
        `INSERT INTO ${exportsTable} (job, name, run_id, content) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [job.id, one.name, one.run_id, one.content],
      );
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
