import * as z from 'zod';
import { filledSchema, runIdSchema, schemaLinkSchema, schemaVersionSchema, taskIdSchema } from './freshContext';

/** One lock of the ledger. `resource` and `task_id` never change; a released lock stays with `active: false`. Facts B2, B8. */
export const lockSchema = z.looseObject({
  task_id: taskIdSchema,
  resource: filledSchema.meta({
    description: 'File or folder, relative to the workspace root; a folder covers everything below it.',
  }),
  active: z.boolean(),
});
export type Lock = z.infer<typeof lockSchema>;

/** Facts about the file system that a document may carry, so that it is judged the same everywhere. */
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

/** What `mission check locks` takes: locks as they are (`locks` is the name in the contract's own tools), and what somebody asks for. */
export const locksDocumentSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema.optional(),
  run_id: runIdSchema.optional(),
  active_locks: z.array(lockSchema).optional(),
  locks: z.array(lockSchema).optional(),
  requested: z.looseObject({ task_id: taskIdSchema, resources: z.array(filledSchema).min(1) }).optional(),
  ...fileSystemFactsShape,
});
