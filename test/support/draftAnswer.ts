/** A plan as an agent drafts it, without what it has no say in; valid but for its approval. */
export const draftAnswer = {
  plan_id: 'parser-note',
  goal_id: 'GOAL-1',
  risk: { level: 1, notes: 'It could be wrong.' },
  scope: { allowed: ['docs_update'], forbidden: [] },
  tasks: [
    {
      task_id: 'T1',
      description: 'Write a note.',
      paths: ['docs/parser.md'],
      requires: ['docs_update'],
      verify: [['node', '-e', "require('node:fs').accessSync('docs/parser.md')"]],
    },
  ],
  execution: { mode: 'sequential', delegation: { claude_code: true } },
  success_criteria: ['no_scope_violation'],
};
