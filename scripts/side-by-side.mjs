// Runs jobs, some at once. Each job is a process group of its own with a time limit; what it prints is shown when it
// ends, whole, so that the output of two jobs never mixes. Its failures stand below its output.
//
// A gate (a program that judges) counts as one test. A suite counts its own tests: it gets
// MISSION_TEST_RESULTS, a path, and leaves there what scripts/mocha-reporter.mjs describes. A suite
// that leaves no file or ran no test is one more failure. So is one whose exit code contradicts its
// numbers.
import { spawn } from 'node:child_process';
import { createReadStream, openSync, closeSync } from 'node:fs';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { cpuSeconds } from './world.mjs';

const minute = 60_000;

/**
 * @typedef {import('./side-by-side.d.mts').Job} Job
 * @typedef {import('./side-by-side.d.mts').Results} Results
 * @typedef {import('./side-by-side.d.mts').Ran} Ran
 */

/**
 * Runs every job, `atOnce` at a time, in the order given: put the long ones first. Those that run weigh `heavyAtOnce`
 * together at most. A job begins when those that its `after` names have ended.
 *
 * @param {readonly Job[]} jobs
 * @param {number} atOnce
 * @param {number} [heavyAtOnce]
 * @param {(text: string | Buffer) => unknown} [print] gets what the jobs printed
 * @returns {Promise<Results & { ran: Ran[] }>}
 */
export async function runSideBySide(
  jobs,
  atOnce,
  heavyAtOnce = Math.max(1, Math.floor(atOnce / 2)),
  print = (text) => process.stdout.write(text),
) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'mission-test-'));
  // Made once for all, because each test would otherwise make some thousand links (test/support/machine.ts). Another
  // user reads them.
  const programs = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-programs-')));
  await chmod(programs, 0o755);
  const shared = { MISSION_TEST_PROGRAMS: path.join(programs, 'all') };
  const running = new Set();
  const interrupted = (signal) => {
    for (const stop of running) stop('SIGKILL');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  const ran = [];
  const waiting = jobs.map((job, index) => ({ job, file: path.join(scratch, String(index)) }));
  const underWay = new Map();
  let shown = Promise.resolve();
  const take = () => {
    const heavy = [...underWay.keys()].reduce((sum, job) => sum + (job.heavy ?? 0), 0);
    const open = new Set([...waiting.map(({ job }) => job.name), ...[...underWay.keys()].map(({ name }) => name)]);
    const index = waiting.findIndex(
      ({ job }) => fits(job.heavy ?? 0, heavy, heavyAtOnce) && !(job.after ?? []).some((name) => open.has(name)),
    );
    return index === -1 ? undefined : waiting.splice(index, 1)[0];
  };
  const runOne = async ({ job, file }) => {
    const started = Date.now();
    const { end, cpu } = await runJob({ ...job, env: { ...shared, ...job.env } }, file, running);
    const results = await judge(job, end, `${file}.json`);
    const seconds = Math.round((Date.now() - started) / 100) / 10;
    ran.push({ job, seconds, cpu, ended: end, ...results });
    const failures = results.failures.map((title) => `failed: ${job.name}: ${title}\n`).join('');
    shown = shown.then(() => show(print, `\n=== ${job.name} (${seconds} s${ofCpu(cpu)})\n`, file, failures));
    underWay.delete(job);
  };
  while (waiting.length > 0 || underWay.size > 0) {
    while (underWay.size < atOnce) {
      const next = take();
      if (next === undefined) break;
      underWay.set(next.job, undefined);
      underWay.set(next.job, runOne(next));
    }
    if (underWay.size === 0) throw new Error(`waits for itself: ${waiting.map(({ job }) => job.name).join(', ')}`);
    await Promise.race(underWay.values());
  }
  await shown;
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  for (const made of [scratch, programs]) await rm(made, { recursive: true, force: true });
  return { ...added(ran), ran };
}

/** A job that weighs more than may run together runs with those that weigh nothing. */
function fits(weight, heavy, heavyAtOnce) {
  return weight === 0 || heavy === 0 || heavy + weight <= heavyAtOnce;
}

/** @param {readonly Ran[]} ran */
export function added(ran) {
  const total = { passed: 0, failed: 0, skipped: [], failures: [] };
  for (const { job, passed, failed, skipped, failures } of ran) {
    total.passed += passed;
    total.failed += failed;
    total.skipped.push(...skipped);
    total.failures.push(...failures.map((title) => `${job.name}: ${title}`));
  }
  return total;
}

/** Says what was skipped and what failed, then the closing line `N passed, N failed[, N skipped]`. */
export function closingLines({ passed, failed, skipped, failures }) {
  return [
    ...skipped.map(({ title, reason }) => `skipped: ${title}: ${reason}`),
    ...failures.map((title) => `failed: ${title}`),
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  ];
}

/** CPU seconds counted when the last job ended. */
let counted = cpuSeconds();

/**
 * Counts the CPU seconds of processes that ended since then. That is what this job used, without processes that it left
 * running.
 */
function countCpu() {
  const before = counted;
  counted = cpuSeconds();
  return Math.round((counted - before) * 10) / 10;
}

function ofCpu(cpu) {
  return Number.isNaN(cpu) ? '' : `, of CPU ${cpu} s`;
}

/** @returns {Promise<{ end: string, cpu: number }>} how the job ended, as a phrase, and its CPU seconds */
function runJob({ program, args, minutes, kind, env }, file, running) {
  return new Promise((resolve) => {
    const output = openSync(file, 'w', 0o600);
    const child = spawn(program, args, {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        // Keeps V8's compiled code for this run, because thousands of processes load the same few files.
        NODE_COMPILE_CACHE: path.join(path.dirname(file), 'compiled'),
        ...env,
        MISSION_TEST_RESULTS: kind === 'suite' ? `${file}.json` : '',
      },
      // A process group of its own, so that a job over its limit ends with everything that it started.
      detached: true,
    });
    closeSync(output);
    const stop = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    };
    running.add(stop);
    let overdue = false;
    const deadline = setTimeout(() => {
      overdue = true;
      stop('SIGKILL');
    }, minutes * minute);
    const done = (how) => {
      clearTimeout(deadline);
      running.delete(stop);
      resolve({ end: overdue ? `stopped after ${minutes} minutes` : how, cpu: countCpu() });
    };
    child.on('error', (error) => done(error.message));
    child.on('exit', (code, signal) => done(signal === null ? `exit code ${code}` : `ended by ${signal}`));
  });
}

/** @returns {Promise<Results & { titles: string[] }>} */
async function judge({ kind }, end, resultsFile) {
  const good = end === 'exit code 0';
  if (kind === 'gate') {
    return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: [], failures: good ? [] : [end], titles: [] };
  }
  const { titles = [], ...results } = await readResults(resultsFile);
  const broken = (why) => ({ ...results, titles, failed: results.failed + 1, failures: [...results.failures, why] });
  if (results.passed + results.failed + results.skipped.length === 0) return broken(`no test ran (${end})`);
  if (!good && results.failed === 0) return broken(`every test passed, but ${end}`);
  return { ...results, titles };
}

async function readResults(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return { passed: 0, failed: 0, skipped: [], failures: [] };
  }
}

async function show(print, title, file, failures) {
  print(title);
  for await (const chunk of createReadStream(file)) print(chunk);
  print(failures);
}
