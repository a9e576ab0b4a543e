// `npm run bench:fleet`: missions on three hosts of a fleet, as real processes. Hosts are killed with -9 at named points
// and cut off from the database, and PostgreSQL crashes. Afterwards nothing is lost, nothing was done twice and each
// evidence verifies. Then the same missions undisturbed, by `mission run` and by 1, 2 and 4 hosts.
//
//   node scripts/fleet-report.mjs [--missions N] [--throughput N] [--report FILE]
//
// --missions    how many are disturbed (default 200)
// --throughput  how many are timed (default: as many)
// --report      writes the numbers as Markdown (docs/reports/fleet.md)
//
// Linux only. Network namespaces need root, iproute2 and openssl; without them no host is cut off, and the report says
// so. Exit code 1 where a mission was lost, a task ran twice, or evidence does not verify.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
/** The Node that the project brings; the machine's own may be older. */
const node = path.resolve('node_modules/.bin/node');

if (process.platform !== 'linux') {
  console.error('The fleet report kills and cuts off processes as Linux does: it runs on Linux only.');
  process.exit(1);
}
const code = await run(['scripts/build.mjs', '--tests', 'kill/fleet']);
process.exitCode = code === 0 ? await run(['dist-test/kill/fleet/fleet.program.js', ...process.argv.slice(2)]) : code;

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    // The program ends its hosts, its database and its network by itself.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
