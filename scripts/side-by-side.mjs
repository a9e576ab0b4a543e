// Runs jobs, some at once. Each job is a process group of its own with a time limit; what it prints is shown when it
// ends, whole, so that the output of two jobs never mixes.
//
// A gate (a program that judges) counts as one test. A suite counts its own tests: it gets MISSION_TEST_RESULTS, a
// path, and leaves there what scripts/mocha-reporter.mjs describes. A suite that leaves no file, ran no test or ends
// with another exit code than its numbers say is one more failure.
import { spawn } from 'node:child_process';
import { createReadStream, openSync, closeSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const minute = 60_000;

/**
 * @typedef {{ passed: number, failed: number, skipped: { title: string, reason: string }[], failures: string[] }} Results
 * @typedef {{ name: string, kind: 'gate' | 'suite', program: string, args: string[], minutes: number, heavy?: boolean, env?: object }} Job
 */

/**
 * Runs every job, `atOnce` at a time and at most half of them heavy ones, in the order given: put the long ones first.
 * @param {Job[]} jobs
 * @returns {Promise<Results & { times: { name: string, seconds: number }[] }>}
 */
export async function runSideBySide(jobs, atOnce) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'mission-test-'));
  const running = new Set();
  const interrupted = (signal) => {
    for (const stop of running) stop('SIGKILL');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  const total = { passed: 0, failed: 0, skipped: [], failures: [], times: [] };
  const heavyAtOnce = Math.max(1, Math.floor(atOnce / 2));
  const waiting = jobs.map((job, index) => ({ job, file: path.join(scratch, String(index)) }));
  let shown = Promise.resolve();
  let heavy = 0;
  const take = () => {
    const index = waiting.findIndex(({ job }) => job.heavy !== true || heavy < heavyAtOnce);
    // Only heavy ones are left: those who run the others take them.
    return index === -1 ? undefined : waiting.splice(index, 1)[0];
  };
  const worker = async () => {
    for (let next = take(); next !== undefined; next = take()) {
      const { job, file } = next;
      if (job.heavy === true) heavy += 1;
      const started = Date.now();
      const end = await runJob(job, file, running);
      if (job.heavy === true) heavy -= 1;
      const results = await judge(job, end, `${file}.json`);
      const seconds = Math.round((Date.now() - started) / 100) / 10;
      total.passed += results.passed;
      total.failed += results.failed;
      total.skipped.push(...results.skipped);
      total.failures.push(...results.failures.map((title) => `${job.name}: ${title}`));
      total.times.push({ name: job.name, seconds });
      shown = shown.then(() => show(`\n=== ${job.name} (${seconds} s)\n`, file));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await shown;
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  await rm(scratch, { recursive: true, force: true });
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

/** @returns how the job ended, as a phrase. */
function runJob({ program, args, minutes, kind, env }, file, running) {
  return new Promise((resolve) => {
    const output = openSync(file, 'w', 0o600);
    const child = spawn(program, args, {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        // Thousands of processes load the same few files: what V8 made of them is kept for this run.
        NODE_COMPILE_CACHE: path.join(path.dirname(file), 'compiled'),
        ...env,
        MISSION_TEST_RESULTS: kind === 'suite' ? `${file}.json` : '',
      },
      // A process group of its own, so that a job over its limit goes with everything it started.
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
      resolve(overdue ? `stopped after ${minutes} minutes` : how);
    };
    child.on('error', (error) => done(error.message));
    child.on('exit', (code, signal) => done(signal === null ? `exit code ${code}` : `ended by ${signal}`));
  });
}

/** @returns {Promise<Results>} */
async function judge({ kind }, end, resultsFile) {
  const good = end === 'exit code 0';
  if (kind === 'gate') return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: [], failures: good ? [] : [end] };
  const results = await readResults(resultsFile);
  const broken = (why) => ({ ...results, failed: results.failed + 1, failures: [...results.failures, why] });
  if (results.passed + results.failed + results.skipped.length === 0) return broken(`no test ran (${end})`);
  if (!good && results.failed === 0) return broken(`every test passed, but ${end}`);
  return results;
}

async function readResults(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return { passed: 0, failed: 0, skipped: [], failures: [] };
  }
}

async function show(title, file) {
  process.stdout.write(title);
  for await (const chunk of createReadStream(file)) process.stdout.write(chunk);
}
