import type { Assignment, OrchestratorOutput } from '../../../src/contracts/freshContext';
import type { HandoffBundle } from '../../../src/contracts/handoff';
import type { SubagentResult } from '../../../src/contracts/result';

export const runId = '4b1f6c1e-2f0a-4c53-9a55-0f6f1d1b7e10';

export function sampleAssignment(): Assignment {
  return {
    schema_version: '1.0.0',
    run_id: runId,
    packet_type: 'assignment',
    global_objective: 'Write the documentation of the tools.',
    task: {
      task_id: 'T-2',
      title: 'Link the second file',
      type: 'parallelizable',
      dependencies: ['T-1'],
      lock_scope: ['docs/second'],
      forbidden_scope: ['docs/first'],
      acceptance_criteria: ['The file links to the first.'],
      worklog_path: 'worklogs/T-2.jsonl',
      timeout_seconds: 1200,
      heartbeat_interval_seconds: 30,
      priority: 'normal',
    },
    active_locks: [],
    context_package: [],
    required_output_schema: 'subagent_result_v1',
  };
}

export function sampleResult(): SubagentResult {
  return {
    schema_version: '1.0.0',
    run_id: runId,
    task_id: 'T-2',
    status: 'done',
    changes: [{ resource: 'docs/second/README.md', action: 'created' }],
    acceptance_check: [{ criterion: 'The file links to the first.', status: 'pass', evidence: 'Line 3.' }],
    worklog_path: 'worklogs/T-2.jsonl',
    notes_for_orchestrator: [],
  };
}

export function sampleOutput(): OrchestratorOutput {
  return {
    schema_version: '1.0.0',
    run_id: runId,
    ledger_delta: [
      { task_id: 'T-2', status: 'in_progress', owner: 'worker', reason: 'Free to start.', delta_id: 'd-1' },
    ],
    assignments: [sampleAssignment()],
    active_locks: [{ task_id: 'T-2', resource: 'docs/second', active: true }],
    blockers: [],
    next_actions: ['Wait for T-2.'],
  };
}

export function sampleHandoff(): HandoffBundle {
  return {
    schema_version: '1.0.0',
    run_id: runId,
    objective: 'Write the documentation of the tools.',
    constraints: { quality_bar: 'Every command shown was run.' },
    ledger: [
      {
        task_id: 'T-2',
        title: 'Link the second file',
        status: 'in_progress',
        owner: 'worker',
        lock_scope: ['docs/second'],
        timeout_seconds: 1200,
        heartbeat_interval_seconds: 30,
        priority: 'normal',
        last_heartbeat_at: '2026-01-31T19:40:00Z',
      },
    ],
    active_locks: [{ task_id: 'T-2', resource: 'docs/second', active: true }],
    dependencies: [],
    open_blockers: [],
    acceptance_targets: [{ task_id: 'T-2', criteria: ['The file links to the first.'] }],
  };
}
