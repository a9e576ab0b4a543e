// A fleet of Absurd: a task is a mission, a checkpoint is a step. The run id is the fence.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { beatSeconds, leaseSeconds, packages, pollSeconds } from './packages.mjs';

const { Absurd } = packages('absurd-sdk');
const queueName = 'missions';

export async function control(url) {
  const app = opened(url);
  return {
    async prepare() {
      await app.con.query(readFileSync(process.env.ABSURD_SQL, 'utf8'));
      await app.createQueue();
    },
    async submit({ mission, key }) {
      // Absurd has no priority and no limit for a repository.
      const options = { queue: queueName, maxAttempts: 1000, idempotencyKey: key };
      return (await app.spawn('mission', mission, options)).taskID;
    },
    isDone: async (id) => (await app.fetchTaskResult(id)).state === 'completed',
    close: () => app.close(),
  };
}

export async function work(url, host, run) {
  const app = opened(url);
  app.registerTask({ name: 'mission' }, async (mission, context) => {
    const beat = setInterval(() => context.heartbeat().catch(() => {}), beatSeconds * 1000);
    try {
      await run(mission, (name, task) => context.step(name, task));
    } finally {
      clearInterval(beat);
    }
  });
  const onError = (error) => console.error(error.message);
  const lease = { claimTimeout: leaseSeconds, fatalOnLeaseTimeout: false };
  await app.startWorker({ workerId: host, pollInterval: pollSeconds, onError, ...lease });
}

function opened(url) {
  const app = new Absurd({ db: url, queueName });
  // Without a listener a lost connection ends the process.
  app.con.on('error', (error) => console.error(error.message));
  return app;
}
