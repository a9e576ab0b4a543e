/** Plans of any size. */
export function agentPlan(tasks: number): object {
  return plan(
    'BENCH',
    Array.from({ length: tasks }, (_, index) => ({
      task_id: `T${String(index + 1)}`,
      description: `Task number ${String(index + 1)} renames what the module calls a widget and corrects its tests.`,
      type: 'code_generation',
      worker: 'codex',
      paths: [`src/module-${String(index)}/`, `test/module-${String(index)}.test.ts`],
      forbidden_paths: [`src/module-${String(index)}/generated`],
      requires: ['edit'],
      ...(index === 0 ? {} : { depends_on: [`T${String(index)}`] }),
      prompt: 'Rename widget to gadget in every file of the module, keep the public interface, and say what was left.',
      acceptance_criteria: ['No file says widget.', 'The tests pass.'],
      verify: [['node', '--test', `test/module-${String(index)}.test.ts`]],
      timeout_seconds: 600,
    })),
  );
}

/** Tasks that only leave a file with their name, so that what is measured is what we add. */
export function commandPlan(tasks: number, paths = 'out/'): object {
  return plan(
    'BENCH',
    Array.from({ length: tasks }, (_, index) => ({
      task_id: `T${String(index + 1)}`,
      description: 'Leaves a file.',
      type: 'automation',
      worker: 'command',
      command: ['/bin/sh', '-c', `sleep 0.25; echo done > out/T${String(index + 1)}`],
      paths: [paths],
    })),
  );
}

function plan(planId: string, tasks: readonly object[]): object {
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'GOAL-1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'bench',
    status: 'APPROVED',
    risk: { level: 1 },
    scope: { allowed: ['edit'], forbidden: ['deploy'] },
    tasks,
    execution: { mode: 'sequential', delegation: { claude_code: false, constraints: [] } },
    approval: { required: false, approved_by: 'ada', approved_at: '2026-01-01T00:00:00Z' },
    success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'],
  };
}
