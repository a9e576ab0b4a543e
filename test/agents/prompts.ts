import type { PromptInput } from '../../src/workers/shared/prompt';

/** What the runner would put into the prompt of a small task. */
export function promptInput(changes: Partial<PromptInput> = {}): PromptInput {
  return {
    runId: 'run-1',
    taskId: 'T1',
    planId: 'P-1',
    description: 'Write the file.',
    prompt: null,
    acceptanceCriteria: [],
    paths: ['src'],
    forbiddenPaths: [],
    allowed: [],
    forbidden: [],
    constraints: ['file_level_only'],
    writes: true,
    context: null,
    note: null,
    ...changes,
  };
}
