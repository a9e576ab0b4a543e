// `npm run trial:fleet`: compares the engines that could move missions between machines. Three hosts are processes of
// this machine, PostgreSQL is the distribution's. In the middle of a mission, one host is killed with -9. Another one is
// cut off from the database and comes back; one sleeps and wakes; PostgreSQL crashes and starts again.
//
//   node scripts/fleet-trial.mjs [--engine NAME]... [--absurd-sql FILE] [--json] [--report FILE]
//
// --engine      absurd, pg-boss, dbos (default: all)
// --absurd-sql  Absurd's schema, the file sql/absurd.sql of its release. No package holds it: without this, Absurd is
//               not tried
// --json        also prints what was measured
// --report      writes the table as Markdown
//
// The first run fetches PostgreSQL and the engines into test/tools. Nothing is asserted on time.
import './project-node.mjs';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { now, openFleet } from './fleet/fleet.mjs';
import { leaseSeconds, linesOf, packageOf, packages } from './fleet/packages.mjs';
import { asleep, cut, idle, killed, order, restarted, stepMs, steps } from './fleet/scenarios.mjs';
import { fleetTools } from './fleet/tools.mjs';
import { startPostgres } from './postgres.mjs';

const root = path.resolve(import.meta.dirname, '..');
const engines = { absurd: 'absurd-sdk', 'pg-boss': 'pg-boss', dbos: '@dbos-inc/dbos-sdk' };
const { values: flags } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: Object.keys(engines) },
    'absurd-sql': { type: 'string' },
    json: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
const { postgres, missing } = await fleetTools(root);
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
if (flags['absurd-sql'] !== undefined) process.env.ABSURD_SQL = path.resolve(flags['absurd-sql']);
// An end by a signal is an exit as well, so that hosts and server end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const server = await startPostgres(root, postgres);
const measured = {};
try {
  for (const engine of flags.engine) {
    if (engine === 'absurd' && flags['absurd-sql'] === undefined) {
      console.error('absurd is not tried: --absurd-sql names no file');
      continue;
    }
    measured[engine] = await measure(engine);
  }
} finally {
  await server.stop();
}
if (flags.json) console.log(JSON.stringify(measured, null, 2));
console.log(`\n${table().join('\n')}\n`);
if (flags.report !== undefined) writeFileSync(flags.report, report());

async function measure(engine) {
  const result = { package: packageOf(engines[engine]), lines: linesOf(engine) };
  for (const [name, play] of Object.entries({ killed, cut, asleep, restarted, order, idle })) {
    const started = now();
    const database = `${engine.replace('-', '_')}_${name}`;
    await administer(`CREATE DATABASE ${database}`);
    const fleet = await openFleet(engine, server, database);
    try {
      result[name] = await play(fleet, server);
    } finally {
      await fleet.close();
    }
    console.error(`${engine} ${name} (${(now() - started).toFixed(0)} s): ${JSON.stringify(result[name])}`);
  }
  return result;
}

async function administer(statement) {
  const own = { host: path.dirname(server.socket), user: 'mission', password: server.password };
  const client = new (packages('pg').Client)({ ...own, database: 'postgres' });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function table() {
  const yes = (is) => (is ? 'yes' : 'no');
  const back = ({ by, seconds, done }) =>
    by === null
      ? `no${done ? ', ended by the first host' : ''}`
      : `by ${by}, ${seconds} s${done ? '' : ', did not end'}`;
  const stale = ({ by, staleRecorded, staleBegun, refusedWith }) =>
    by === null
      ? 'not fenced: not taken over'
      : `${staleRecorded} recorded, ${staleBegun} begun, refused with ${refusedWith ?? 'nothing'}`;
  const both = ({ begunTwice, doneTwice }) => `${begunTwice} / ${doneTwice}`;
  const load = ({ perMinute, connections }) => `${perMinute}, ${connections}`;
  const rows = {
    'host killed with -9: continued': ({ killed: one }) => back(one),
    'host cut off: continued': ({ cut: one }) => back(one),
    'host asleep: continued': ({ asleep: one }) => back(one),
    'after the cut the first host': ({ cut: one }) => stale(one),
    'after its sleep the first host': ({ asleep: one }) => stale(one),
    'steps begun twice / done twice: killed': ({ killed: one }) => both(one),
    'steps begun twice / done twice: cut off': ({ cut: one }) => both(one),
    'steps begun twice / done twice: asleep': ({ asleep: one }) => both(one),
    'PostgreSQL crashed: hosts alive, next step recorded': ({ restarted: one }) =>
      `${one.alive} of 3, ${one.seconds === null ? 'never' : `after ${one.seconds} s`}, ${one.done ? 'ended' : 'did not end'}`,
    'steps begun twice / done twice: PostgreSQL crashed': ({ restarted: one }) => both(one),
    'the same plan submitted twice runs once': ({ order: one }) => yes(one.single),
    'the urgent one is taken first': ({ order: one }) => yes(one.urgentFirst),
    'one mission of a repository at a time': ({ order: one }) => yes(one.oneOfRepository),
    'three idle hosts: transactions a minute, connections': ({ idle: { waiting: one } }) => load(one),
    'the same, one of them in a long step': ({ idle: { held: one } }) => load(one),
    'an idle host: CPU seconds a minute, MB resident': ({ idle: { waiting: one } }) => `${one.cpu}, ${one.memory}`,
    'bytes of a queued mission': ({ idle: one }) => one.bytes,
    'lines of ours': ({ lines }) => lines,
    'release, date': ({ package: one }) => `${one.version}, ${one.released}`,
    'licence, Node': ({ package: one }) => `${one.license}, ${one.node}`,
    'the package brings its schema': ({ package: one }) => yes(one.hasSchema),
    'packages, MB installed': ({ package: one }) => `${one.packages}, ${one.megabytes}`,
  };
  const names = Object.keys(measured);
  return [
    `| | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
    ...Object.entries(rows).map(
      ([row, cell]) => `| ${row} | ${names.map((name) => cell(measured[name])).join(' | ')} |`,
    ),
  ];
}

function report() {
  const release = execFileSync(path.join(postgres.programs, 'postgres'), ['--version'], { env: postgres.env });
  const [cpu] = os.cpus();
  const machine = `Node ${process.version}, ${os.cpus().length} x ${cpu?.model.trim()}, load ${os.loadavg()[0].toFixed(1)}`;
  return [
    '# Engines for a fleet',
    '',
    'Written by `npm run trial:fleet -- --absurd-sql absurd.sql --report docs/reports/fleet-engines.md`.',
    '',
    `Three hosts are processes of one machine; a mission has ${steps} steps of ${stepMs / 1000} s. A step is a wait, because the engines differ in what they record, not in what a worker does. A lease ends ${leaseSeconds} s after a host's last word. A cut host's way to the database delivers after the cut what was written meanwhile.`,
    '',
    `Machine: ${String(release).trim()}, ${machine}.`,
    '',
    ...table(),
    '',
  ].join('\n');
}
