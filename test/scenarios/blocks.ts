import assert from 'node:assert/strict';
import type { UsageFacts } from '../../src/contracts/launchEvidence';
import type { BlockRow } from '../../src/core/mission/resolve/remedies';
import { cases } from './cases';
import type { Situation } from './scenario';

/**
 * How the recommended way of a row ends. A revision runs as another mission: `test/cli/waysOut.test.ts` follows it.
 * `outside`: a person first changes what no scenario changes.
 */
type Ends = 'done' | 'revision' | 'outside';

export interface Followed extends Situation {
  readonly ends?: Ends;
}

function scenario(title: string): Followed {
  const all = cases().flatMap(([, list]) => list);
  return all.find((one) => one.title.startsWith(title)) ?? assert.fail(title);
}

export type World = NonNullable<Situation['world']>;
export const one = { task_id: 'T1', verify: [['a']] };
export const agent = { task_id: 'T1', worker: 'claude' } as const;
export const failed = { exit_code: 1 } as const;
export const denied = (path: string, reason: string): World => ({
  'T1#1': { changes: [], launches: [{ denied: [{ path, reason }] }] },
});
export const told = (stderr_tail: string, layered = false, argv: readonly string[] = ['worker']): World => ({
  'T1#1': { confined: true, layered, argv, held: ['linked.js'], changes: [], end: { exit_code: 1, stderr_tail } },
});
export const strays = {
  changes: [{ path: 'lib/x', kind: 'added', what: 'file', sha256: null, lines: 1 }],
  ...{ more: 0, ignored: [], more_ignored: 0, trouble: null },
} as const;
const deadline = { reason: 'deadline', exit_code: null, signal: 'SIGTERM' } as const;

const tokens = (input_tokens: number): UsageFacts => ({
  input_tokens,
  cached_input_tokens: null,
  output_tokens: 0,
  cost_usd: null,
});
const readMe = { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } } as const;
const accepts = { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] } as const;
const overBudget = scenario('after execution: the budget of the plan stopped it');
const retriesUsed = scenario('a profile whose retries are used up');

/** A block of each row, from which its recommended way is followed to its end. Every later attempt is healthy. */
export const blocks: Readonly<Record<BlockRow, Followed>> = {
  question: { tasks: [{ ...agent, worker: 'codex' }], world: { 'T1#1': { claim: 'blocked_asking' } } },
  accepted: { tasks: [one], world: { 'T1#1': readMe }, script: [{ at: 'idle', command: accepts }] },
  changes: { tasks: [one], world: { 'T1#1': readMe } },
  processes: { tasks: [one], world: { 'T1#1': { end: { tree_gone: false, survivors: [7] }, tree_looks: [true] } } },
  stopped: {
    tasks: [one],
    script: [{ at: { effect: 'awaitWorker' }, command: { type: 'StopTask', task_id: 'T1' } }],
  },
  budget: {
    ...overBudget,
    tasks: [
      { ...agent, task_id: 'T0' },
      { ...agent, depends_on: ['T0'] },
    ],
    world: { ...overBudget.world, 'T0#1': { end: { usage: tokens(500) } } },
    script: [
      {
        at: { effect: 'awaitWorker', task: 'T1' },
        report: { type: 'UsageWasSeen', launch_id: '', usage: tokens(600) },
      },
    ],
  },
  budget_alone: { ...scenario('after execution: the budget of the plan stopped it'), ends: 'revision' },
  grant: { tasks: [agent], world: denied('/d1/a', 'workingDir: Path is outside allowed working directories') },
  signed_out: scenario('the block of a CLI without sign-in in its sandbox'),
  denied: { tasks: [agent], world: denied('lib/other.ts', 'EROFS: read-only file system'), ends: 'revision' },
  permission: { tasks: [agent], world: denied('/elsewhere/x', 'something that no row knows') },
  check_writes: {
    tasks: [one],
    world: { 'T1#1': { verify_end: { strays: { ...strays, changes: [{ ...strays.changes[0], kind: 'modified' }] } } } },
    ends: 'revision',
  },
  program: {
    tasks: [one],
    world: { 'T1#1': { verify_end: { reason: 'spawn_failed', exit_code: null, error: 'no such program' } } },
    ends: 'revision',
  },
  missed: {
    tasks: [one],
    world: told('Error: connect ECONNREFUSED 127.0.0.1:5432', false, ['psql', 'postgres://localhost:5432/a']),
    ends: 'revision',
  },
  link: { tasks: [one], world: told("EROFS: read-only file system, open 'linked.js'") },
  edge: { tasks: [one], world: told('sh: 1: cannot create dist/x: Read-only file system') },
  mount: { tasks: [one], world: told("Error: EBUSY: resource busy or locked, rmdir 'dist'", true), ends: 'revision' },
  folder: { tasks: [one], world: told("Error: EXDEV: x, rename 'a/x' -> 'b/x'") },
  apart: {
    tasks: [one],
    world: told("OSError: [Errno 18] x: '/tmp/x' -> 'out/x'", true),
  },
  sealed: {
    tasks: [one],
    world: told("fatal: Unable to create '/ws/.git/index.lock': Read-only file system", true, ['git', 'add', 'a']),
    ends: 'revision',
  },
  stray: { tasks: [one], world: { 'T1#1': { end: { strays } } } },
  layer: scenario('step 4: an approved name became a link'),
  layer_gone: {
    tasks: [one],
    world: { 'T1#1': { confined: true, landing: 'gone' }, 'T1#2': { confined: true, landing: 'lands' } },
  },
  overwritten: scenario('step 4: another program changed an approved file'),
  breach: { ...scenario('a worker stopped for a write out of scope hands in'), ends: 'revision' },
  silent_check: {
    tasks: [one],
    script: [
      {
        at: { effect: 'awaitWorker', purpose: 'verify' },
        report: {
          ...{ type: 'WorkerWentSilent', launch_id: '', last_heartbeat_at: '2026-01-01T00:00:00.000Z' },
          ...{ timeout_seconds: 1200, age_seconds: 1201, found: 'its processes do nothing' },
        },
      },
    ],
    ends: 'revision',
  },
  time: { tasks: [{ ...one, max_runtime_seconds: 60 }], world: { 'T1#1': { end: deadline } } },
  time_given: {
    tasks: [{ ...one, max_runtime_seconds: 60 }],
    world: { 'T1#1': { end: deadline } },
    script: [
      {
        at: 'idle',
        command: { type: 'ReviseMetadata', task_id: 'T1', packet_id: null, changes: { max_runtime_seconds: 90 } },
      },
    ],
  },
  time_at_most: { tasks: [{ ...one, max_runtime_seconds: 604_800 }], world: { 'T1#1': { end: deadline } } },
  nothing_changed: { tasks: [{ task_id: 'T1', worker: 'codex' }], world: { 'T1#1': { changes: [] } } },
  check: { tasks: [one], world: { 'T1#1': { verify: [1] } } },
  limit: scenario('a plan that says nothing of it waits'),
  no_project: {
    tasks: [{ ...agent, intent: 'architecture', intent_from: 'declared' }],
    world: { 'T1#1': { project: 'absent' } },
    ends: 'outside',
  },
  project: {
    tasks: [{ ...agent, intent: 'architecture', intent_from: 'declared' }],
    world: { 'T1#1': { project: 'invalid' } },
  },
  provider: { tasks: [agent], world: { 'T1#1': { launches: [{ impossible: 'PROVIDER_CHANGED' }] } }, ends: 'revision' },
  unseen: {
    tasks: [one],
    world: {
      'T1#1': { confined: true, landing: 'lands', verify_launch: { impossible: 'WORK_UNSEEN' } },
      'T1#2': { confined: true, landing: 'lands' },
    },
  },
  launch: { tasks: [agent], world: { 'T1#1': { cli_missing: true } } },
  model: { ...scenario('nothing eligible halts in phase 3'), ends: 'outside' },
  profile: { ...retriesUsed, script: (retriesUsed.script ?? []).slice(0, 2) },
  profile_alone: scenario('what a resumed session sends beyond its cache'),
  resources: {
    tasks: [one],
    world: { 'T1#1': { end: { reason: 'resource_limit', exit_code: null, error: 'too many' } } },
    ends: 'revision',
  },
  record: { tasks: [one], world: { 'T1#1': { end: { reason: 'log_failed', exit_code: null, error: 'full' } } } },
  milestone: { ...scenario('a report that fails blocks, and nothing'), ends: 'revision' },
  report: { tasks: [{ task_id: 'T1', worker: 'codex' }], world: { 'T1#1': { claim: 'invalid' } } },
  waiting: { ...scenario('when no open task can run'), ends: 'revision' },
  failed: { tasks: [one], world: { 'T1#1': { end: failed } } },
};
