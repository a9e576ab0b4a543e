import { planContractVersion } from '../../contracts/vocabulary/plan';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { delegatedAgents } from '../../workers/registry';

/** A plan for a made-up goal, as an agent that drafts one answers: without what is filled in for it. */
export function draftExample(agent: AgentName): object {
  return {
    contract_version: planContractVersion,
    plan_id: 'list-notes',
    goal_id: 'GOAL-1',
    risk: { level: 1, notes: 'The index could miss a note; the verify command counts them.' },
    scope: { allowed: ['docs_update', 'script_change'], forbidden: ['dependency_change'] },
    tasks: [
      {
        task_id: 'T1',
        description: 'Write a script that lists the notes, with its test.',
        type: 'code',
        worker: agent,
        paths: ['scripts/list-notes.mjs', 'test/list-notes.test.mjs'],
        requires: ['script_change'],
        prompt: 'Write scripts/list-notes.mjs, which prints each file in notes/, and a test of it.',
        acceptance_criteria: ['The test passes and fails where a note is missing.'],
        verify: [['node', '--test', 'test/list-notes.test.mjs']],
      },
      {
        task_id: 'T2',
        description: 'Write the index of the notes.',
        type: 'documentation',
        worker: agent,
        paths: ['docs/notes.md'],
        requires: ['docs_update'],
        depends_on: ['T1'],
        acceptance_criteria: ['Every note stands in docs/notes.md.'],
        verify: [['node', '-e', "require('node:fs').accessSync('docs/notes.md')"]],
      },
    ],
    execution: {
      mode: 'sequential',
      on_block: 'recover',
      delegation: { claude_code: delegatedAgents.includes(agent), constraints: ['no_new_tasks'] },
    },
    success_criteria: ['validator_passes', 'no_scope_violation'],
  };
}
