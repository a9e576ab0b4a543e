// Durable steps in sequence by DBOS: `node scripts/peers/dbos.mjs URL STEPS` prints their milliseconds.
import process from 'node:process';
import { packages } from '../fleet/packages.mjs';

const { DBOS } = packages('@dbos-inc/dbos-sdk');
const [, , url, steps] = process.argv;
DBOS.setConfig({ name: 'peer', systemDatabaseUrl: url, applicationVersion: '1', logLevel: 'error' });
const work = DBOS.registerWorkflow(
  async () => {
    const began = performance.now();
    for (let step = 0; step < Number(steps); step++) await DBOS.runStep(async () => step, { name: `step ${step}` });
    return performance.now() - began;
  },
  { name: 'steps' },
);
await DBOS.launch();
console.log(await work());
await DBOS.shutdown();
