import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkShape } from '../../src/adapters/documents/schemas';
import type { Assignment, Blocker, Lock } from '../../src/contracts/freshContext';
import type { DocumentName } from '../../src/contracts/schemas';
import type { ContractCode } from '../../src/contracts/vocabulary/codes/codes';
import type { LedgerStatus } from '../../src/contracts/vocabulary/execution';
import { validateAssignment } from '../../src/core/freshContext/assignment';
import { validateResult } from '../../src/core/freshContext/result';
import type { ShapedDocument, Verdict } from '../../src/core/documents/verdict';
import { judgeHeartbeat } from '../../src/core/ledger/heartbeat';
import { validateLedger, validateLocks } from '../support/verdicts';
import { isLegalTransition } from '../../src/core/ledger/transitions';

interface Step {
  readonly do: string;
  readonly at?: string;
  readonly to?: LedgerStatus;
  readonly block_code?: ContractCode;
  readonly expect: Readonly<Record<string, unknown>>;
}
interface Trace {
  readonly note: string;
  readonly run_id: string;
  readonly assignment: Assignment;
  readonly dependencies: Readonly<Record<string, LedgerStatus>>;
  readonly result?: unknown;
  readonly steps: readonly Step[];
}

const shaped = (name: DocumentName, value: unknown): ShapedDocument => ({ value, shape: checkShape(name, value) });

/** A run of one task, moved only by the functions under test. */
class Run {
  private status: LedgerStatus = 'todo';
  private locks: Lock[] = [];
  private blockers: Blocker[] = [];
  private events: object[] = [];
  private heartbeat: string | null = null;

  constructor(private readonly trace: Trace) {}

  step(step: Step): Readonly<Record<string, unknown>> {
    const { trace } = this;
    const { task } = trace.assignment;
    switch (step.do) {
      case 'validate_packet':
        return { code: validateAssignment(shaped('assignment', trace.assignment), { run_id: trace.run_id }).code };
      case 'pre_dispatch': {
        const requested = { task_id: task.task_id, resources: task.lock_scope };
        const locks = validateLocks(shaped('locks', { active_locks: this.locks, requested }));
        const statuses = trace.dependencies;
        const packet = validateAssignment(shaped('assignment', trace.assignment), { run_id: trace.run_id, statuses });
        if (locks.allow)
          this.locks.push(...task.lock_scope.map((resource) => ({ ...requested, resource, active: true })));
        return { code: locks.allow ? packet.code : locks.code };
      }
      case 'validate_result':
        return { code: validateResult(shaped('result', trace.result)).code };
      case 'post_execution':
        return {
          code: validateResult(shaped('result', trace.result), { assignment: trace.assignment, worklog: '' }).code,
        };
      case 'transition':
        return this.transition(step);
      case 'release_locks': {
        const released = this.locks.filter(({ active }) => active).length;
        this.locks = this.locks.map((lock) => ({ ...lock, active: false }));
        return { code: 'OK', released };
      }
      case 'validate_locks':
        return { code: validateLocks(shaped('locks', { active_locks: this.locks })).code };
      case 'reconcile':
        return { code: this.reconcile(step.at ?? '').code };
      case 'watchdog': {
        const { task_id, timeout_seconds } = task;
        const { status, heartbeat: last_heartbeat_at } = this;
        const verdict = judgeHeartbeat({ task_id, status, last_heartbeat_at, timeout_seconds }, step.at ?? '');
        return verdict.kind === 'timed_out'
          ? { code: 'TASK_TIMEOUT', age_seconds: verdict.age_seconds }
          : { code: verdict.kind === 'invalid' ? 'SCHEMA_INVALID' : 'OK' };
      }
      default:
        throw new Error(`There is no step ${step.do}.`);
    }
  }

  /** Along an edge of the contract; whether the ledger is sound afterwards is a step of its own. */
  private transition({ to = 'todo', at = '', block_code }: Step): Readonly<Record<string, unknown>> {
    const { task_id } = this.trace.assignment.task;
    if (!isLegalTransition(this.status, to)) return { code: 'INVALID_TRANSITION' };
    this.blockers = block_code === undefined ? [] : [{ task_id, code: block_code, reason: 'No sign of life.' }];
    if (to === 'in_progress') this.heartbeat = at;
    const edge = { from_state: this.status, to_state: to, actor: 'runner', reason: 'As the trace says.' };
    this.events.push({ task_id, ...edge, created_at: at });
    this.status = to;
    return { code: 'OK', status: to };
  }

  private reconcile(now: string): Verdict {
    const { assignment, run_id, dependencies } = this.trace;
    const { title, lock_scope, timeout_seconds, heartbeat_interval_seconds, task_id } = assignment.task;
    const { status } = this;
    const others = Object.entries(dependencies).map(([id, state]) => ({
      task_id: id,
      status: state,
      owner: 'worker-0',
    }));
    const own = { title, lock_scope, timeout_seconds, heartbeat_interval_seconds, last_heartbeat_at: this.heartbeat };
    return validateLedger(
      shaped('ledger', {
        run_id,
        ledger: [...others, { task_id, status, owner: 'worker-1', ...own }],
        active_locks: this.locks.map((lock) => ({ task_id, resource: lock.resource, active: lock.active })),
        dependencies: Object.keys(dependencies).map((on) => ({ task_id, depends_on_task_id: on })),
        open_blockers: this.blockers,
        events: this.events,
        now,
      }),
    );
  }
}

describe('golden traces of Fresh Context', () => {
  const folder = path.resolve('test/fixtures/fresh-context/traces');
  for (const file of readdirSync(folder)) {
    const trace = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Trace;
    it(trace.note, () => {
      const run = new Run(trace);
      for (const [index, step] of trace.steps.entries())
        assert.deepEqual(run.step(step), step.expect, `step ${index + 1}: ${step.do} ${step.to ?? ''}`);
    });
  }
});
