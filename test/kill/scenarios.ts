import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { machinePath } from '../support/machine';

/**
 * all     every kind of step: a verified task, one that blocks and is retried by a person, one that is stopped with
 *         its daemon and retried, one more
 * again   a plan whose evidence of an earlier execution is archived first
 * cancel  cancelled while its first task runs, the second never starts
 * lanes   three tasks whose locks are disjoint, side by side: one is verified, one blocks and is retried by a person
 * moves   blocks at its second task: what is handed over then, see handoffRound.ts
 */
export const scenarioNames = ['all', 'again', 'cancel', 'lanes', 'moves'] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export interface Scenario {
  readonly plan_id: string;
  /** Missions of the workspace at the end. */
  readonly missions: number;
  readonly outcome: 'completed' | 'cancelled';
  /** How often each command runs when only the owner is killed. */
  readonly runs: Readonly<Record<string, number>>;
}

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  all: {
    plan_id: 'ALL',
    missions: 1,
    outcome: 'completed',
    runs: { counted: 1, 'counted.verify': 1, blocks: 2, stopped: 2, last: 1 },
  },
  again: { plan_id: 'AGAIN', missions: 2, outcome: 'completed', runs: { only: 2 } },
  cancel: { plan_id: 'CANCEL', missions: 1, outcome: 'cancelled', runs: { stopped: 1 } },
  lanes: {
    plan_id: 'LANES',
    missions: 1,
    outcome: 'completed',
    runs: { left: 1, 'left.verify': 1, middle: 2, right: 1 },
  },
  moves: {
    plan_id: 'MOVES',
    missions: 1,
    outcome: 'completed',
    runs: { counted: 1, 'counted.verify': 1, blocks: 2, last: 1 },
  },
};

/** Where the things of one round are. */
export interface Places {
  readonly scratch: string;
  readonly workspace: string;
  /** Outside the workspace: one file per task; each start of its command is a line with the nonce of its launch. */
  readonly counters: string;
}

export function placesIn(scratch: string): Places {
  return { scratch, workspace: path.join(scratch, 'work'), counters: path.join(scratch, 'counters') };
}

export function planPathOf(name: ScenarioName): string {
  return `docs/plans/PLAN_${scenarios[name].plan_id}.json`;
}

/** The environment of every process of a round; its HOME distinguishes them from all others of the machine. */
export function environmentOf({ scratch }: Places): NodeJS.ProcessEnv {
  return { PATH: machinePath(), HOME: scratch, LANG: 'C.UTF-8', TMPDIR: tmpdir(), GIT_CONFIG_NOSYSTEM: '1' };
}

/** A repository with the plan of the scenario. */
export function makeWorkspace(name: ScenarioName, places: Places): void {
  for (const folder of ['docs/plans', 'tools']) mkdirSync(path.join(places.workspace, folder), { recursive: true });
  mkdirSync(places.counters, { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(path.join(places.workspace, file), text);
  write('tools/step.sh', stepScript);
  write('.gitignore', '.mission-control/\n');
  write(planPathOf(name), `${JSON.stringify(planOf(name), null, 2)}\n`);
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=K', '-c', 'user.email=k@example.invalid', ...args], {
      cwd: places.workspace,
      env: environmentOf(places),
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'plan');
}

/** Nonces of the launches that ran the command of a task, in order. */
export function runsOf(places: Places, task: string): readonly string[] {
  const file = path.join(places.counters, task);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

export function countersOf(places: Places): readonly string[] {
  return readdirSync(places.counters).filter((name) => !name.startsWith('go-'));
}

/** What lets one start of a lane end: an owner that sees the end first never records that it ran. */
export function seenOf(places: Places, task: string, nonce: string): string {
  return path.join(places.counters, `go-${task}-${nonce}`);
}

/** What lets the stopped task through when it is tried again. */
export function gateOf(places: Places, task: string): string {
  return path.join(places.counters, `go-${task}`);
}

const stepScript = `# step.sh COUNTERS TASK ok|seen|fails_once|waits
echo "$MISSION_RUN_NONCE" >> "$1/$2"
mkdir -p out
echo "$MISSION_RUN_NONCE" >> "out/$2.txt"
case "$3" in
  fails_once) [ "$(wc -l < "$1/$2")" -gt 1 ] || exit 1 ;;
  seen) until [ -e "$1/go-$2-$MISSION_RUN_NONCE" ]; do sleep 0.1; done ;;
  waits) if [ ! -e "$1/go-$2" ]; then setsid sleep 1000 & sleep 1000; fi ;;
esac
`;

function planOf(name: ScenarioName): object {
  // Relative, so that a workspace and its counters can be copied together.
  const step = (task: string, how: string): readonly string[] => ['sh', 'tools/step.sh', '../counters', task, how];
  const task = (task_id: string, how: string, more: object = {}): object => ({
    task_id,
    description: task_id,
    type: 'automation',
    worker: 'command',
    paths: ['out/'],
    command: step(task_id, how),
    heartbeat_interval_seconds: 5,
    ...more,
  });
  /** Locks that no other task has. */
  const alone = (...names: readonly string[]): object => ({ paths: names.map((file) => `out/${file}.txt`) });
  const tasks = {
    all: [
      task('counted', 'ok', { verify: [step('counted.verify', 'ok')] }),
      task('blocks', 'fails_once'),
      task('stopped', 'waits'),
      task('last', 'ok', { depends_on: ['counted'] }),
    ],
    again: [task('only', 'ok')],
    cancel: [task('stopped', 'waits'), task('never', 'ok')],
    lanes: [
      task('left', 'seen', { ...alone('left', 'left.verify'), verify: [step('left.verify', 'ok')] }),
      task('middle', 'fails_once', alone('middle')),
      task('right', 'seen', alone('right')),
    ],
    moves: [
      task('counted', 'ok', { verify: [step('counted.verify', 'ok')] }),
      task('blocks', 'fails_once'),
      task('last', 'ok', { depends_on: ['blocks'] }),
    ],
  }[name];
  const execution = name === 'lanes' ? { mode: 'parallel', max_parallel: 3 } : { mode: 'sequential' };
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: scenarios[name].plan_id,
    goal_id: 'KILL',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'test',
    status: 'APPROVED',
    risk: { level: 1 },
    scope: { allowed: ['edit'], forbidden: [] },
    tasks,
    execution: { ...execution, delegation: { claude_code: false, constraints: [] } },
    approval: { required: false, approved_by: 'Ada', approved_at: '2026-01-01T00:00:00Z' },
    success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'],
  };
}
