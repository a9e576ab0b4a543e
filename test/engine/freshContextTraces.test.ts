import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkShape } from '../../src/adapters/documents/schemas';
import type { Assignment } from '../../src/contracts/assignment';
import type { Blocker } from '../../src/contracts/ledger';
import type { Lock } from '../../src/contracts/lock';
import type { DocumentName } from '../../src/contracts/schemas';
import type { ContractCode } from '../../src/contracts/vocabulary/codes';
import type { LedgerStatus } from '../../src/contracts/vocabulary/execution';
import { validateAssignment } from '../../src/core/freshContext/assignment';
import { validateResult } from '../../src/core/freshContext/result';
import type { ShapedDocument, Verdict } from '../../src/core/documents/verdict';
import { judgeHeartbeats } from '../../src/core/ledger/heartbeat';
import { validateLedger } from '../../src/core/ledger/reconcile';
import { transition, type TransitionEvent, type VersionedRow } from '../../src/core/ledger/transition';
import { validateLocks } from '../../src/core/locks/validateLocks';

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
  private row: VersionedRow;
  private locks: Lock[] = [];
  private blockers: Blocker[] = [];
  private events: TransitionEvent[] = [];
  private heartbeat: string | null = null;
  private packet: Verdict | null = null;
  private verdict: Verdict | null = null;

  constructor(private readonly trace: Trace) {
    const { task_id } = trace.assignment.task;
    this.row = { task_id, status: 'todo', owner: 'worker-1', version: 0, retry_count: 0, blocked_code: null };
  }

  step(step: Step): Readonly<Record<string, unknown>> {
    const { trace, row } = this;
    const { task } = trace.assignment;
    switch (step.do) {
      case 'validate_packet':
        this.packet = validateAssignment(shaped('assignment', trace.assignment), { run_id: trace.run_id });
        return { code: this.packet.code };
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
        this.verdict = validateResult(shaped('result', trace.result), { assignment: trace.assignment, worklog: '' });
        return { code: this.verdict.code };
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
        const watched = { ...row, last_heartbeat_at: this.heartbeat, timeout_seconds: task.timeout_seconds };
        const [verdict] = judgeHeartbeats([watched], step.at ?? '');
        return verdict?.kind === 'timed_out'
          ? { code: verdict.code, age_seconds: verdict.age_seconds }
          : { code: verdict?.code };
      }
      default:
        throw new Error(`There is no step ${step.do}.`);
    }
  }

  private transition({ to = 'todo', at = '', block_code }: Step): Readonly<Record<string, unknown>> {
    const { row, trace } = this;
    const blocker = { task_id: row.task_id, code: block_code ?? 'TASK_TIMEOUT', reason: 'No sign of life.' };
    const blockers = to === 'blocked' ? [blocker] : [];
    const outcome = transition(
      row,
      {
        to,
        actor: 'runner',
        reason: 'As the trace says.',
        at,
        expected_version: row.version,
        expected_status: row.status,
      },
      {
        dependencies: Object.entries(trace.dependencies).map(([task_id, status]) => ({ task_id, status })),
        lock_scope: trace.assignment.task.lock_scope,
        locks: this.locks,
        packet: this.packet,
        result: this.verdict,
        reconciliation: to === 'done' ? this.reconcile(at) : null,
        ...(block_code === undefined ? {} : { code: block_code }),
        blockers,
      },
    );
    if (!outcome.allow) return { code: outcome.verdict.code };
    this.row = outcome.row;
    this.blockers = blockers;
    this.events.push(outcome.event);
    if (to === 'in_progress') this.heartbeat = at;
    const { status, version, retry_count } = outcome.row;
    return { code: 'OK', status, version, retry_count };
  }

  private reconcile(now: string): Verdict {
    const { assignment, run_id, dependencies } = this.trace;
    const { title, lock_scope, timeout_seconds, heartbeat_interval_seconds, task_id } = assignment.task;
    const { status, owner } = this.row;
    const others = Object.entries(dependencies).map(([id, state]) => ({
      task_id: id,
      status: state,
      owner: 'worker-0',
    }));
    const own = { title, lock_scope, timeout_seconds, heartbeat_interval_seconds, last_heartbeat_at: this.heartbeat };
    return validateLedger(
      shaped('ledger', {
        run_id,
        ledger: [...others, { task_id, status, owner, ...own }],
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
