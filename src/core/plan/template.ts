import { planContractVersion } from '../../contracts/vocabulary/plan';

export const planTemplateNames = ['agent', 'command'] as const;
export type PlanTemplateName = (typeof planTemplateNames)[number];

export interface TemplateFacts {
  readonly plan_id: string;
  /** ISO-8601 UTC. */
  readonly created_at: string;
  readonly planner: string;
}

/** A DRAFT with one task to be rewritten, which validates except for its approval. Ends with a line feed. */
export function planTemplate(name: PlanTemplateName, { plan_id, created_at, planner }: TemplateFacts): string {
  const plan = {
    contract_version: planContractVersion,
    plan_id,
    goal_id: 'GOAL-1',
    created_at,
    planner,
    status: 'DRAFT',
    risk: { level: 1, notes: 'What could go wrong, and how it would be noticed.' },
    scope: { allowed: ['docs_update'], forbidden: ['architecture_change'] },
    tasks: [name === 'agent' ? agentTask : commandTask],
    execution: {
      mode: 'sequential',
      on_block: 'recover',
      delegation: { claude_code: name === 'agent', constraints: ['file_level_only', 'no_new_tasks'] },
    },
    approval: { required: true },
    success_criteria: ['validator_passes', 'no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Where the plan with this id belongs, relative to the workspace root. */
export function planPathOf(planId: string): string {
  return `docs/plans/PLAN_${planId}.json`;
}

const agentTask = {
  task_id: 'T1',
  description: 'Say in a sentence what the agent shall do.',
  type: 'documentation',
  paths: ['docs/notes/'],
  requires: ['docs_update'],
  prompt: 'Write docs/notes/first.md with three sentences about this repository.',
  acceptance_criteria: ['docs/notes/first.md exists and has three sentences.'],
  verify: [['node', '-e', "require('node:fs').accessSync('docs/notes/first.md')"]],
};

const commandTask = {
  task_id: 'T1',
  description: 'Say in a sentence what the command does.',
  type: 'automation',
  paths: ['docs/notes/'],
  requires: ['docs_update'],
  worker: 'command',
  command: [
    'node',
    '-e',
    "const fs=require('node:fs');fs.mkdirSync('docs/notes',{recursive:true});fs.writeFileSync('docs/notes/first.md','Hello.\\n')",
  ],
  acceptance_criteria: ['docs/notes/first.md exists.'],
  verify: [['node', '-e', "require('node:fs').accessSync('docs/notes/first.md')"]],
};
