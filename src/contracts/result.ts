import * as z from 'zod';

/**
 * `subagent_result_v1`: what a worker claims at the end of its attempt. A claim, never the truth: the
 * runner compares it with what it observed. Source: seed 003, facts B5.
 */
export const subagentResultSchema = z.strictObject({
  schema_version: z.string().regex(/^1\.\d+\.\d+$/),
  run_id: z.string().min(1),
  task_id: z.string().min(1),
  status: z.enum(['done', 'blocked', 'failed']),
  changes: z.array(
    z.strictObject({
      resource: z.string().min(1),
      action: z.string().min(1),
      evidence: z.string().nullable().optional(),
    }),
  ),
  acceptance_check: z.array(
    z.strictObject({
      criterion: z.string().min(1),
      status: z.enum(['pass', 'fail']),
      evidence: z.string(),
    }),
  ),
  worklog_path: z.string(),
  notes_for_orchestrator: z.array(z.string().min(1)).max(5),
});
export type SubagentResult = z.infer<typeof subagentResultSchema>;

/**
 * The same value without its extension fields (`x_`), which the contract allows and the schema handed to a worker does
 * not: what is validated against that schema. What is no result packet stays as it is.
 */
export function withoutExtensions(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const plain = withoutOwnExtensions(value);
  for (const list of ['changes', 'acceptance_check']) {
    const items: unknown = plain[list];
    if (Array.isArray(items)) {
      plain[list] = items.map((item: unknown) => (isRecord(item) ? withoutOwnExtensions(item) : item));
    }
  }
  return plain;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutOwnExtensions(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !key.startsWith('x_')));
}
