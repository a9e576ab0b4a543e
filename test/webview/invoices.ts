import type { AttemptScript, Situation } from '../scenarios/scenario';

/** Six tasks of four agents and a command, as a person would plan them. */
const tasks = [
  { task_id: 'schema', description: 'Agree the API schema', worker: 'codex', paths: ['src/api/schema.json'] },
  { task_id: 'api', description: 'Serve /invoices', worker: 'codex', paths: ['src/api'], depends_on: ['schema'] },
  { task_id: 'ui', description: 'Invoice page', worker: 'claude', paths: ['src/ui'], depends_on: ['schema'] },
  { task_id: 'docs', description: 'Describe the endpoint', worker: 'gemini', paths: ['docs'], depends_on: ['schema'] },
  { task_id: 'e2e', description: 'End-to-end test', worker: 'claude', paths: ['test/e2e'], depends_on: ['api', 'ui'] },
  { task_id: 'release', description: 'Changelog', paths: ['CHANGELOG.md'], depends_on: ['e2e', 'docs'] },
] as const;

const changes: Readonly<Record<string, readonly string[]>> = {
  schema: ['src/api/schema.json'],
  api: ['src/api/invoices.ts', 'src/api/routes.ts', 'src/api/invoices.test.ts'],
  ui: ['src/ui/InvoicePage.tsx', 'src/ui/InvoicePage.test.tsx'],
  docs: ['docs/api.md'],
  e2e: ['test/e2e/invoices.spec.ts'],
  release: ['CHANGELOG.md'],
};

const usage = { input_tokens: 52_300, cached_input_tokens: 40_100, output_tokens: 8900, cost_usd: 0.21 };

/** How `task#attempt` went: it worked as approved, except for what is given. */
export function worked(attempts: readonly string[], given: Readonly<Record<string, AttemptScript>> = {}) {
  return Object.fromEntries(
    [...new Set([...attempts, ...Object.keys(given)])].map((attempt) => [
      attempt,
      {
        changes: changes[attempt.split('#')[0] ?? ''] ?? [],
        confined: true,
        end: { usage, model: 'sonnet' },
        ...given[attempt],
      } satisfies AttemptScript,
    ]),
  );
}

/** The mission of most pictures. @param lanes absent: one task after the other */
export function invoices(
  given: Readonly<Record<string, AttemptScript>> = {},
  { lanes, ...more }: Partial<Situation> & { readonly lanes?: number } = {},
): Situation {
  return {
    tasks: tasks.map((task) => ({ ...task, acceptance_criteria: [], verify: [['npm', 'test']] })),
    ...(lanes === undefined ? {} : { max_parallel: lanes }),
    world: worked(
      tasks.map(({ task_id }) => `${task_id}#1`),
      given,
    ),
    ...more,
  };
}
