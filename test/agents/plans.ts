import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentModels } from './homes';

export const planId = 'P1';

/** What a test changes in the plan. */
export interface PlanChanges {
  /** Members of the one task. */
  readonly task?: Readonly<Record<string, unknown>>;
  /** Members of the plan. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An approved plan of one task, T1, that may write below `src`. */
export function planFor(agent: AgentName, changes: PlanChanges): Readonly<Record<string, unknown>> {
  const model = agentModels[agent];
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'APPROVED',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'T1',
        description: 'Write the file.',
        paths: ['src'],
        worker: agent,
        ...(model === null ? {} : { model }),
        ...changes.task,
      },
    ],
    execution: {
      mode: 'sequential',
      recovery: { allow: ['add_directory', 'skip_git_repo_check', 'trust_workspace'] },
      delegation: { claude_code: true, constraints: ['file_level_only', 'no_new_tasks'] },
    },
    approval: { required: true, approved_by: 'tester', approved_at: '2026-01-01T00:00:00Z' },
    success_criteria: ['no_scope_violation'],
    ...changes.members,
  };
}
