// A fleet of pg-boss: a job is a mission. The number of its attempt is the fence. Steps are a table of ours, written in
// the transaction that proves the attempt.
import { beatSeconds, leaseSeconds, packages, pollSeconds } from './packages.mjs';

const { PgBoss } = packages('pg-boss');
const queue = 'missions';
const longest = 24 * 60 * 60;

export async function control(url) {
  const boss = await started(url, { supervise: false, schedule: false });
  return {
    async prepare() {
      await boss.createQueue(queue, {
        policy: 'exclusive',
        retryLimit: 1000,
        retryDelay: 0,
        heartbeatSeconds: leaseSeconds,
        expireInSeconds: longest,
      });
      await boss
        .getDb()
        .executeSql('CREATE TABLE step (mission text, name text, result jsonb, PRIMARY KEY (mission, name))');
    },
    async submit({ mission, key, priority, repository }) {
      return boss.send(queue, mission, { singletonKey: key, priority, group: { id: repository } });
    },
    isDone: async (id) => (await boss.findJobs(queue, { id }))[0].state === 'completed',
    close: () => boss.stop({ graceful: false }),
  };
}

export async function work(url, host, run) {
  const boss = await started(url, {
    instanceName: host,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  const options = { pollingIntervalSeconds: pollSeconds, heartbeatRefreshSeconds: beatSeconds, groupConcurrency: 1 };
  await boss.work(queue, options, async ([job]) => {
    const { rows } = await boss.getDb().executeSql('SELECT name, result FROM step WHERE mission = $1', [job.data.id]);
    const recorded = new Map(rows.map(({ name, result }) => [name, result]));
    await run(job.data, async (name, task) => {
      if (recorded.has(name)) return recorded.get(name);
      const result = await task();
      await inTransaction(boss, async (db) => {
        const { affected } = await boss.touch(queue, job, { db });
        if (affected === 0) throw new Error('another attempt has this mission');
        await db.executeSql('INSERT INTO step VALUES ($1, $2, $3)', [
          job.data.id,
          name,
          JSON.stringify(result ?? null),
        ]);
      });
      return result;
    });
  });
}

async function started(url, options) {
  const boss = new PgBoss({ connectionString: url, max: 4, ...options });
  boss.on('error', (error) => console.error(error.message));
  return boss.start();
}

async function inTransaction(boss, write) {
  const transaction = await boss.getDb().beginTransaction();
  try {
    await write(transaction.db);
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
