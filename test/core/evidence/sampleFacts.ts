import type { ExecutionHeader } from '../../../src/contracts/record/header';
import type { AttemptEvidence, TaskWithAttempts } from '../../../src/contracts/taskEvidence';

const zeros = '0'.repeat(64);

export type SampleHeader = ExecutionHeader & { readonly tasks: NonNullable<ExecutionHeader['tasks']> };

export function sampleHeader(values: Partial<ExecutionHeader> = {}): SampleHeader {
  const at = '2026-01-02T03:04:05.678Z';
  return {
    contract_version: 'S2-B-06.v1',
    plan_id: 'P1',
    goal_id: 'G1',
    plan_path: 'docs/plans/PLAN_P1.json',
    plan_sha256: zeros,
    started_at_utc: '2026-01-02T03:04:05Z',
    state: 'REPORTED',
    executor: 'mission',
    mission_id: 'P1-20260102T030405Z-abc123',
    run_id: '5f0c8d52-9d70-4f2c-9f0e-0d9a4b8d1f11',
    ended_at_utc: '2026-01-02T03:14:05Z',
    outcome: 'COMPLETED',
    status: 'completed',
    cancelled: false,
    code: null,
    reason: null,
    approval_source: 'journal',
    approved_by: 'Ada',
    approved_at: '2026-01-02T03:00:00Z',
    state_history: (
      ['RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING', 'EVIDENCED', 'COMPLETED', 'REPORTED'] as const
    ).map((state) => ({ state, at })),
    locked_plan: { file: 'PLAN.locked.json', sha256: zeros },
    summary: null,
    success_criteria: [{ criterion: 'no_scope_violation', result: 'met', detail: 'No change outside.' }],
    journal: null,
    tool: { name: 'mission-control', version: '0.1.0' },
    not_observed: ['anything outside the workspace'],
    ...values,
    tasks: values.tasks ?? [],
  };
}

export function sampleAttempt(values: Partial<AttemptEvidence> = {}): AttemptEvidence {
  return {
    attempt: 1,
    started_at: '2026-01-02T03:05:00.000Z',
    ended_at: '2026-01-02T03:06:00.000Z',
    outcome: 'PASS',
    code: null,
    reason: null,
    decided_by: null,
    launches: [
      {
        launch_id: 'L1',
        worker: 'claude',
        cli_version: '2.1.0',
        tested_range_ok: true,
        argv: ['/home/ada/bin/claude', '--add-dir', '/home/ada/project/src'],
        confinement: 'tool_limits',
        confinement_detail: 'Edits below /home/ada/project only.',
        env_names: ['HOME', 'PATH'],
        session_id: 'S1',
        model: 'model-x',
        usage: { input_tokens: 10, cached_input_tokens: null, output_tokens: 2, cost_usd: 0.01 },
        exit_code: 0,
        signal: null,
        reason: 'exited',
        run_dir: '.mission-control/missions/M/runs/1-T1',
        started_at: '2026-01-02T03:05:00.000Z',
        ended_at: '2026-01-02T03:05:50.000Z',
        stdout: { bytes: 3, sha256: zeros },
        stderr: { bytes: 0, sha256: zeros },
        ...{ error: null, tree_gone: true },
      },
    ],
    changes: [],
    observed_sha256: zeros,
    not_observed: [],
    claim: { kind: 'not_applicable', problems: [], packet: null },
    comparison: null,
    verify: [{ argv: ['npm', 'test'], exit_code: 0, signal: null, passed: true, output_sha256: zeros, tail: 'ok' }],
    acceptance: [{ criterion: 'It works', result: 'pass', evidence: 'seen' }],
    denials: [],
    ...values,
  };
}

export function sampleTask(values: Partial<TaskWithAttempts> = {}): TaskWithAttempts {
  return {
    contract_version: 'S2-B-06.v1',
    plan_id: 'P1',
    task_id: 'T1',
    description: 'Write the file',
    started_at_utc: '2026-01-02T03:05:00Z',
    notes: 'starting\nended well',
    ended_at_utc: '2026-01-02T03:06:00Z',
    status: 'SUCCESS',
    commit_sha: 'abcdef1234567',
    start_notes: 'starting',
    end_notes: 'ended well',
    executor: 'mission',
    mission_id: 'P1-20260102T030405Z-abc123',
    run_id: '5f0c8d52-9d70-4f2c-9f0e-0d9a4b8d1f11',
    code: null,
    reason: null,
    plan_sha256: zeros,
    plan_sha256_observed: null,
    worker: 'claude',
    paths: ['src'],
    forbidden_paths: [],
    attempts: [sampleAttempt()],
    ...values,
  };
}

export const samplePlaces = [
  { path: '/home/ada', name: '<home>' },
  { path: '/home/ada/project', name: '<workspace>' },
];
