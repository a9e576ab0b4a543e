import * as z from 'zod';
import { filledSchema, runIdSchema, schemaLinkSchema, schemaVersionSchema, taskIdSchema } from './freshContext';
import type { ReadDocument } from './record/header';

/** One lock of the ledger. `resource` and `task_id` never change; a released one is not active. Source: seed 003. */
export const lockSchema = z.looseObject({
  task_id: taskIdSchema,
  resource: filledSchema.meta({
    description: 'File or folder, relative to the workspace root; a folder covers everything below it.',
  }),
  active: z.boolean(),
});
export type Lock = ReadDocument<z.infer<typeof lockSchema>>;

/** Facts about the file system in a document, so that it is judged alike on every machine. */
export const fileSystemFactsShape = {
  x_case_insensitive: z
    .boolean()
    .optional()
    .meta({ description: 'True where letters of either case are one name. Default false.' }),
  x_links: z
    .record(z.string(), filledSchema.nullable())
    .optional()
    .meta({ description: 'Linked folders: path to the path it leads to, null when that is outside the workspace.' }),
} as const;

/** The input of `mission check locks`: held locks (`locks` in the contract's own tools) and a request for more. */
export const locksDocumentSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema.optional(),
  run_id: runIdSchema.optional(),
  active_locks: z.array(lockSchema).optional(),
  locks: z.array(lockSchema).optional(),
  requested: z.looseObject({ task_id: taskIdSchema, resources: z.array(filledSchema).min(1) }).optional(),
  ...fileSystemFactsShape,
});
