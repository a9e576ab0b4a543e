import * as z from 'zod';
import { metadataChangesSchema } from './commands/metadataChanges';
import { isoTimeSchema, uuidSchema } from './record/header';
import { isBlank } from './vocabulary/forms';
import { orchestratorTools, type OrchestratorTool } from './vocabulary/orchestrator';
import { questionLimits, recoveryOutcomes } from './vocabulary/recovery';

/**
 * An orchestrator session asks the owner of its mission by files in the run directory of its launch:
 *
 * work/outbox/<id>.json  a request, moved there whole by the session's MCP server. The server keeps
 *                        it open until it has its answer, and removes it when it stops waiting. A
 *                        request that no process holds open counts no longer.
 * answers/<id>.json      the owner's answer; the session cannot write it
 */

const filled = (most: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !isBlank(value), 'Say it in words.');
const taskId = z.string().min(1).max(200);
const reason = filled(4000).meta({ description: 'Why, in one or two sentences; it is kept with the decision.' });

/** What each tool takes. Its JSON Schema is what a model is shown. */
const orchestratorInputs = {
  status: z.strictObject({}),
  packet: z.strictObject({}),
  artifact: z.strictObject({
    name: filled(4096).meta({ description: 'A name from the list of artifacts that the tool packet gives.' }),
    offset: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Where to go on: next_offset of the page before. Default: 0.' }),
  }),
  revise_metadata: z.strictObject({
    task_id: taskId,
    changes: metadataChangesSchema.meta({ description: 'At least one of the fields; what is not named stays.' }),
    reason,
  }),
  propose_plan_revision: z.strictObject({
    plan: filled(200_000).meta({ description: 'The whole text of the revised plan, as JSON.' }),
    reason,
  }),
  choose_outcome: z.strictObject({
    outcome: z.enum(recoveryOutcomes),
    reason,
    question: filled(questionLimits.text)
      .optional()
      .meta({ description: 'Only with ask-user, and needed there: what a person is asked.' }),
    choices: z
      .array(filled(questionLimits.choice))
      .max(questionLimits.choices)
      .readonly()
      .optional()
      .meta({ description: 'Only with ask-user: answers to choose from.' }),
  }),
} as const satisfies { readonly [T in OrchestratorTool]: z.ZodObject };

/** One request, by its tool. */
const orchestratorRequestSchema = z.discriminatedUnion('tool', [
  z.strictObject({ tool: z.literal('status'), ...orchestratorInputs.status.shape }),
  z.strictObject({ tool: z.literal('packet'), ...orchestratorInputs.packet.shape }),
  z.strictObject({ tool: z.literal('artifact'), ...orchestratorInputs.artifact.shape }),
  z.strictObject({ tool: z.literal('revise_metadata'), ...orchestratorInputs.revise_metadata.shape }),
  z.strictObject({ tool: z.literal('propose_plan_revision'), ...orchestratorInputs.propose_plan_revision.shape }),
  z.strictObject({ tool: z.literal('choose_outcome'), ...orchestratorInputs.choose_outcome.shape }),
]);
export type OrchestratorAsk = Readonly<z.infer<typeof orchestratorRequestSchema>>;

/** `signature`: Ed25519 in base64url over the canonical text of the file without it (`base/canonicalText`). */
export const orchestratorRequestFileSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  /** Also the file's name. */
  id: uuidSchema,
  /** The launch id of the session. */
  session: z.string().min(1).max(200),
  at: isoTimeSchema,
  request: orchestratorRequestSchema,
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});
export type OrchestratorRequestFile = z.infer<typeof orchestratorRequestFileSchema>;

/**
 * What the owner says. `facts`: known by Mission Control, or approved by a person. `untrusted`: every text that a worker
 * or a program wrote; the server shows it to the model as data and nothing else.
 */
const orchestratorResultSchema = z.strictObject({
  facts: z.record(z.string(), z.unknown()),
  untrusted: z
    .array(z.strictObject({ source: z.string().min(1).max(4096), text: z.string() }))
    .max(100)
    .readonly(),
});
export type OrchestratorResult = Readonly<z.infer<typeof orchestratorResultSchema>>;

export const orchestratorAnswerFileSchema = z.discriminatedUnion('ok', [
  z.strictObject({
    schema_version: z.literal('1.0.0'),
    id: uuidSchema,
    ok: z.literal(true),
    result: orchestratorResultSchema,
  }),
  z.strictObject({
    schema_version: z.literal('1.0.0'),
    id: uuidSchema,
    ok: z.literal(false),
    code: z.string().min(1).max(100),
    reason: z.string(),
    next: z.array(z.string()).max(20).readonly(),
  }),
]);
export type OrchestratorAnswerFile = z.infer<typeof orchestratorAnswerFileSchema>;

/** For the list of tools of the MCP server. */
export function orchestratorInputJsonSchema(tool: OrchestratorTool): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(orchestratorInputs[tool], { target: 'draft-7', io: 'input' });
  return schema;
}

/** Returns whether a name is one of the tools. */
export function isOrchestratorTool(name: string): name is OrchestratorTool {
  return (orchestratorTools as readonly string[]).includes(name);
}

/** A call of a tool: the request, or what is wrong with its arguments, in words. */
export function orchestratorAskIn(
  tool: OrchestratorTool,
  given: Readonly<Record<string, unknown>>,
): OrchestratorAsk | readonly string[] {
  const read = orchestratorRequestSchema.safeParse({ ...given, tool });
  return read.success ? read.data : read.error.issues.slice(0, 5).map(wrong);
}

function wrong(issue: z.core.$ZodIssue): string {
  const name = JSON.stringify(issue.path.length === 0 ? 'arguments' : issue.path.join('.'));
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${name} has no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'invalid_type':
      return `${name} must be of type ${issue.expected}`;
    case 'invalid_value':
      return `${name} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${name} must be at least ${String(issue.minimum)}${lengthOf(issue.origin)}`;
    case 'too_big':
      return `${name} must be at most ${String(issue.maximum)}${lengthOf(issue.origin)}`;
    default:
      return `${name} says nothing, or has another form`;
  }
}

function lengthOf(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : '';
}
