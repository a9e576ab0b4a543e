import { liveRuns } from '../../../src/adapters/launches/launches';
import { runsInsideWorker } from '../../../src/adapters/launches/ancestry';

/** Says whether it runs inside a worker: `insideWorker.program.js MISSIONS_DIR`, one line. */
void (async () => {
  const live = await liveRuns(process.argv[2] ?? '');
  process.stdout.write(`inside ${await runsInsideWorker(live)}, ${live.length} live\n`);
})();
