// A fleet of DBOS: a workflow is a mission, a step is a step. The token of the execution is the fence.
import { packages, pollSeconds } from './packages.mjs';

const { DBOS, DBOSClient } = packages('@dbos-inc/dbos-sdk');
const queueName = 'missions';
const name = 'fleet';

export async function control(url) {
  const client = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: name });
  return {
    // A host makes the tables when it starts.
    prepare: () => DBOS.migrate(url),
    async submit({ mission, key, priority, repository }) {
      const options = { workflowName: 'mission', queueName, workflowID: mission.id, deduplicationID: key };
      // Number 1 comes first.
      const order = { priority: 100 - priority, queuePartitionKey: repository };
      return (await client.enqueue({ ...options, ...order, duplicationPolicy: 'return-existing' }, mission)).workflowID;
    },
    isDone: async (id) => (await client.retrieveWorkflow(id).getStatus()).status === 'SUCCESS',
    close: () => client.destroy(),
  };
}

export async function work(url, host, run) {
  const config = { name, systemDatabaseUrl: url, executorID: host, applicationVersion: '1', logLevel: 'error' };
  DBOS.setConfig({ ...config, systemDatabasePoolSize: 4 });
  DBOS.registerWorkflow((mission) => run(mission, (step, task) => DBOS.runStep(task, { name: step })), {
    name: 'mission',
  });
  await DBOS.launch();
  await DBOS.registerQueue(queueName, {
    workerConcurrency: 1,
    partitionConcurrency: 1,
    minPollingIntervalMs: pollSeconds * 1000,
  });
}
