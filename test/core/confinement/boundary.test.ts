import assert from 'node:assert/strict';
import { plainlyEquipped } from '../../support/receivedPlan';
import { boundaryOf, type TaskBoundary } from '../../../src/core/confinement/boundary';
import { evolve } from '../../../src/core/mission/evolve';
import type { ApprovedPlan, PlannedTask } from '../../../src/core/plan/approvedPlan';

const reserved = ['docs/plans', 'docs/ops/executions', '.mission-control', '.git'];

interface Asked {
  readonly tasks: readonly (Partial<PlannedTask> & { readonly task_id: string })[];
  readonly plan?: Partial<ApprovedPlan>;
  readonly purpose?: 'worker' | 'verify';
  readonly case_insensitive?: boolean;
}

/** The boundary of the first task. */
function boundary({ tasks, plan = {}, purpose = 'worker', case_insensitive = false }: Asked): TaskBoundary {
  const mission = evolve(null, {
    seq: 1,
    run_id: 'r',
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'human', name: 'ada' },
    prev_hash: '',
    hash: '',
    event: {
      type: 'MissionReceived',
      mission_id: 'M',
      plan: {
        tasks: tasks.map((task) => ({ paths: ['src'], forbidden_paths: [], worker: 'command', writes: true, ...task })),
        ...{ network: false, scratch: [], folders: [] },
        ...plan,
      } as unknown as ApprovedPlan,
      plan_path: 'docs/plans/PLAN_P.json',
      plan_sha256: 'A',
      ...plainlyEquipped,
      started_by: { kind: 'human', name: 'ada' },
      tool_version: '0',
    },
  } as Parameters<typeof evolve>[1]);
  return boundaryOf(mission, tasks[0]?.task_id ?? '', purpose, { case_insensitive });
}

describe('the boundary of a launch', () => {
  it('is the approved paths; reserved folders are sealed by name', () => {
    assert.deepEqual(boundary({ tasks: [{ task_id: 'T1', paths: ['src', 'a.txt'] }] }), {
      writable: ['src', 'a.txt'],
      sealed: reserved,
      network: false,
    });
  });

  it('of a task that only reads is scratch alone, also for what verifies it', () => {
    for (const purpose of ['worker', 'verify'] as const)
      assert.deepEqual(
        boundary({ tasks: [{ task_id: 'T1', writes: false }], plan: { scratch: ['coverage'] }, purpose }).writable,
        ['coverage'],
      );
    assert.deepEqual(boundary({ tasks: [{ task_id: 'T1', writes: false, worker: 'claude' }] }).writable, []);
  });

  it('seals forbidden paths and those of other tasks where they lie inside, and nothing that is read-only anyway', () => {
    const { sealed } = boundary({
      tasks: [
        { task_id: 'T1', paths: ['src'], forbidden_paths: ['src/secret', 'lib'] },
        { task_id: 'T2', paths: ['src/two', 'docs'] },
        { task_id: 'T3', paths: ['srcs/three'] },
      ],
    });
    assert.deepEqual(sealed, [...reserved, 'src/secret', 'src/two']);
  });

  it('seals no path that is the task’s own as well, or lies above one of its own', () => {
    const { sealed } = boundary({
      tasks: [
        { task_id: 'T1', paths: ['src', 'src/mine/deep'] },
        { task_id: 'T2', paths: ['src', 'src/mine', '.'] },
      ],
    });
    assert.deepEqual(sealed, reserved);
  });

  it('compares names as the file system does', () => {
    const tasks = [
      { task_id: 'T1', paths: ['src'] },
      { task_id: 'T2', paths: ['SRC/two'] },
    ];
    assert.deepEqual(boundary({ tasks }).sealed, reserved);
    assert.deepEqual(boundary({ tasks, case_insensitive: true }).sealed, [...reserved, 'SRC/two']);
  });

  it('holds scratch for the plan’s own commands and for verify commands, never for an agent', () => {
    const plan = { scratch: ['coverage'] };
    const command = [{ task_id: 'T1' }];
    const agent = [{ task_id: 'T1', worker: 'codex' as const }];
    assert.deepEqual(boundary({ tasks: command, plan }).writable, ['src', 'coverage']);
    assert.deepEqual(boundary({ tasks: agent, plan, purpose: 'verify' }).writable, ['src', 'coverage']);
    assert.deepEqual(boundary({ tasks: agent, plan }).writable, ['src']);
  });

  it('seals what is another task’s inside scratch', () => {
    const tasks = [{ task_id: 'T1' }, { task_id: 'T2', paths: ['build/two'] }];
    assert.deepEqual(boundary({ tasks, plan: { scratch: ['build'] } }).sealed, [...reserved, 'build/two']);
  });

  it('has a network for an agent, and for commands only if the plan says so', () => {
    const agent = [{ task_id: 'T1', worker: 'codex' as const }];
    assert.equal(boundary({ tasks: agent }).network, true);
    assert.equal(boundary({ tasks: agent, purpose: 'verify' }).network, false);
    assert.equal(boundary({ tasks: agent, purpose: 'verify', plan: { network: true } }).network, true);
    assert.equal(boundary({ tasks: [{ task_id: 'T1' }], plan: { network: true } }).network, true);
  });

  it('opens what the plan names of the machine for commands, and never for an agent', () => {
    const services = { ports: [5432], sockets: ['/run/docker.sock'], devices: ['/dev/kvm'] };
    const agent = [{ task_id: 'T1', worker: 'codex' as const }];
    assert.equal(boundary({ tasks: agent, plan: { services } }).services, undefined);
    assert.deepEqual(boundary({ tasks: agent, purpose: 'verify', plan: { services } }).services, services);
    assert.deepEqual(boundary({ tasks: [{ task_id: 'T1' }], plan: { services } }).services, services);
  });
});
