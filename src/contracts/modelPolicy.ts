import * as z from 'zod';
import { intents, tiers } from './vocabulary/intents';
import { agentNames } from './vocabulary/workers';

const name = z.string().min(1).max(200);
const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/);
const count = (least: number) => z.int().min(least).max(1_000_000_000);

const modelSchema = z.strictObject({
  id: id.meta({ description: 'The logical name, which evidence names.' }),
  worker: z.enum(agentNames).meta({ description: 'The CLI that runs it.' }),
  names: z.array(name).max(100).meta({
    description:
      'Names as the CLI takes or reports them; * stands for any text. The first one, without *, is what the CLI is given where policy chooses.',
  }),
  tier: z.enum(tiers).meta({ description: 'A decides and changes, B advises, C only reads, D assists.' }),
  profile: id.meta({ description: 'Name of its capability profile.' }),
});

const profileSchema = z.strictObject({
  max_calls_per_task: count(1).optional().meta({ description: 'Launches of an agent for one task.' }),
  max_retries: count(0).optional().meta({ description: 'Attempts of one task after its first.' }),
  max_tokens: count(1)
    .optional()
    .meta({ description: 'Tokens of one task, in and out; what a resumed session has in its cache counts once.' }),
});

const routeSchema = z.strictObject({
  tiers: z.array(z.enum(tiers)).max(4).optional().meta({ description: 'Tiers that may perform such a task.' }),
  models: z.array(id).max(200).optional().meta({
    description: 'Only these, by id, in this order where the plan names none. Without it: every model of the tiers.',
  }),
});

/**
 * Which models may perform which tasks, for one machine or one repository. What a document does not name is as it was:
 * as shipped for a machine's, as on the machine for a repository's, which may only narrow. Source: seed 004, phase 3.
 */
export const modelPolicySchema = z.strictObject({
  $schema: z.string().optional(),
  schema_version: z.literal('1.0.0'),
  models: z.array(modelSchema).max(500).optional().meta({
    description: 'Further models, or other facts of known ids. They come before the shipped ones: the first name fits.',
  }),
  profiles: z.record(id, profileSchema).optional().meta({ description: 'Limits of capability profiles, by name.' }),
  routing: z.partialRecord(z.enum(intents), routeSchema).optional().meta({ description: 'What each intent allows.' }),
  refuse: z.array(name).max(500).optional().meta({ description: 'Names that are never used; * stands for any text.' }),
});
export type ModelPolicyDocument = z.infer<typeof modelPolicySchema>;
