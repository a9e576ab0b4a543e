import { planContractVersion } from '../../contracts/vocabulary/plan';
import { defaultAgent, type AgentName } from '../../contracts/vocabulary/workers';
import { delegatedAgents } from '../../workers/registry';
import type { RevisionFacts } from './revision';

/** `sample` runs as it is, without an agent. */
export const planTemplateNames = ['agent', 'command', 'milestones', 'sample'] as const;
export type PlanTemplateName = (typeof planTemplateNames)[number];

const agents: readonly PlanTemplateName[] = ['agent', 'milestones'];

export interface TemplateFacts extends Pick<RevisionFacts, 'plan_id' | 'created_at' | 'planner'> {
  /** The agent that performs the task; absent: the default worker. */
  readonly worker?: AgentName;
  /** Ignored folders that a build of this workspace may write. */
  readonly scratch?: readonly string[];
}

/** A DRAFT with tasks to be rewritten, which validates except for its approval. Ends with a line feed. */
export function planTemplate(name: PlanTemplateName, facts: TemplateFacts): string {
  const { plan_id, created_at, planner, worker, scratch = [] } = facts;
  const plan = {
    contract_version: planContractVersion,
    plan_id,
    goal_id: 'GOAL-1',
    created_at,
    planner,
    status: 'DRAFT',
    risk: { level: 1, notes: 'What could go wrong, and how it would be noticed.' },
    scope: { allowed: ['docs_update'], forbidden: ['architecture_change'] },
    ...workOf(name, worker),
    execution: {
      mode: 'sequential',
      on_block: 'recover',
      delegation: {
        claude_code: agents.includes(name) && delegatedAgents.includes(worker ?? defaultAgent),
        constraints: ['file_level_only', 'no_new_tasks'],
      },
      ...(scratch.length > 0 && { scratch }),
    },
    approval: { required: true },
    success_criteria: ['validator_passes', 'no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Says where the plan with this id belongs, relative to the workspace root. */
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

const sampleTask = {
  type: 'automation',
  requires: ['docs_update'],
  worker: 'command',
};

const sampleTasks = [
  {
    ...sampleTask,
    task_id: 'list',
    description: 'List the files and folders of this workspace.',
    paths: ['docs/sample/list.txt'],
    command: [
      'node',
      '-e',
      "const fs=require('node:fs');fs.mkdirSync('docs/sample',{recursive:true});fs.writeFileSync('docs/sample/list.txt',fs.readdirSync('.').filter(n=>!n.startsWith('.')).sort().join('\\n')+'\\n')",
    ],
    acceptance_criteria: ['docs/sample/list.txt exists.'],
    verify: [['node', '-e', "require('node:fs').accessSync('docs/sample/list.txt')"]],
  },
  {
    ...sampleTask,
    task_id: 'count',
    description: 'Count what was listed.',
    paths: ['docs/sample/count.md'],
    depends_on: ['list'],
    command: [
      'node',
      '-e',
      "const fs=require('node:fs');const n=fs.readFileSync('docs/sample/list.txt','utf8').trim().split('\\n').length;fs.writeFileSync('docs/sample/count.md',`# This workspace\\n\\nFiles and folders: ${n}\\n`)",
    ],
    acceptance_criteria: ['docs/sample/count.md says how many.'],
    verify: [
      [
        'node',
        '-e',
        "if(!/folders: [0-9]+/.test(require('node:fs').readFileSync('docs/sample/count.md','utf8')))process.exit(1)",
      ],
    ],
  },
];

function workOf(name: PlanTemplateName, worker: AgentName | undefined): object {
  const agent = { ...agentTask, ...(worker && { worker }) };
  switch (name) {
    case 'agent':
      return { tasks: [agent] };
    case 'command':
      return { tasks: [commandTask] };
    case 'sample':
      return { tasks: sampleTasks };
    case 'milestones':
      return {
        milestones: stages,
        tasks: [
          { ...agent, milestone: 'M1' },
          { ...agent, ...secondTask },
        ],
      };
  }
}

/** The second begins once the first was validated, for the files as they are then. */
const stages = [
  { id: 'M1', title: 'Say what is there then.', validate: { mode: 'scrutiny', verify: agentTask.verify } },
  {
    id: 'M2',
    title: 'Say what a person can use then.',
    validate: { mode: 'user-testing', assertions: ['Say what a person sees when it works.'] },
  },
];

const secondTask = {
  task_id: 'T2',
  milestone: 'M2',
  depends_on: ['T1'],
  prompt: 'Write docs/notes/second.md with what docs/notes/first.md leaves open.',
  acceptance_criteria: ['docs/notes/second.md exists.'],
  verify: [['node', '-e', "require('node:fs').accessSync('docs/notes/second.md')"]],
};
