// `npm run test:habitats`: missions through the built CLI in the repositories, folders and machines that people have.
//
//   node scripts/test-habitats.mjs [--all | --confined] [--habitat TEXT] [--scenario NAME] [--jobs N] [--minutes N] [--report FILE]
//
// --all      every outcome: retry, archive, a planted hook, cancel, kill -9 of the owner, handoff
//            and its resumption, a full disk. Visits the rare habitats too, and writes
//            docs/reports/habitats.md. Default: sample, violation and verification block, as
//            `npm test` does
// --confined the sample alone, by a plan that requires a sandbox; some habitats are always visited so
// --habitat  only those with this text in their name; the report keeps the outcomes of the others
// --scenario only this one in each; the report keeps the outcomes of the others
// --jobs     habitats side by side (default: one more than there are cores)
// --minutes  begins with no other habitat after so many minutes; the next run begins with those left out
// --report   writes the table as Markdown to that file
//
// Exit code 1 when an outcome is not the expected one. What this machine cannot make is named with the reason.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { projectNode } from './project-node.mjs';

process.chdir(path.resolve(path.dirname(new URL(import.meta.url).pathname), '..'));
const run = (...args) => spawnSync(projectNode, args, { stdio: 'inherit' }).status ?? 1;
process.exitCode =
  run('scripts/build.mjs', '--tests', 'habitats') ||
  run('dist-test/habitats/habitats.program.js', ...process.argv.slice(2));
