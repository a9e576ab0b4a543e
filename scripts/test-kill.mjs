// `npm run test:kill`: kill -9 with real processes at every named point, and at times by chance; afterwards the
// invariants of docs/internals/invariants.md hold.
//
//   node scripts/test-kill.mjs [--rounds N] [--seed S] [--times N] [--point TEXT | --by-chance-only]
//                              [--minutes N] [--jobs N] [--keep] [--report FILE] [--owner vscode]
//
// --owner   vscode: only the extension host of the real VS Code dies (test/kill/vscodeCampaign.ts); default: the
//           programs
// --rounds  passes over all points (default 1); from the second on the next two owners are killed as well, by chance
// --seed    the same seed gives the same kills in the same order (default 1)
// --times   kills at times by chance, per kind of victim and pass (default 10)
// --point   only points with this text in their name, for example 'all: journal.append', and then all of them: without
//           it those inside operations are taken once of each kind; no times by chance
// --by-chance-only  no points, only times by chance
// --minutes no new round after so many minutes; which ones are left out is by chance
// --jobs    rounds side by side (default 3; in VS Code 1)
// --keep    leaves the folders of rounds in which an invariant was violated
// --report  writes the numbers as Markdown (.artifacts/kill-test.md); the part about VS Code by itself
//
// Linux only: who is alive is read from /proc. Exit code 1 when an invariant was violated.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
process.chdir(root);
/** The Node that the project brings; the machine's own may be older. */
const node = path.join('node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (process.platform !== 'linux') {
  console.error('The kill test reads /proc: it runs on Linux only.');
  process.exit(1);
}
const code = await run(['scripts/build.mjs', '--tests', 'kill']);
process.exitCode = code === 0 ? await run(['dist-test/kill/kill.program.js', ...process.argv.slice(2)]) : code;

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
