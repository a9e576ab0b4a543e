import * as z from 'zod';
import type { Fields } from './freshContext';
import {
  filledSchema,
  momentSchema,
  objectiveSchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
} from './freshContext';
import { digestSchema } from './header';
import { blockerSchema, dependencySchema, ledgerRowSchema } from './ledger';
import { fileSystemFactsShape, lockSchema } from './lock';

/** What a mission of ours adds, so that another clone can go on from the bundle and the repository alone. */
export const missionHandoffSchema = z.looseObject({
  mission_id: filledSchema,
  plan_id: taskIdSchema,
  plan_path: filledSchema,
  plan_sha256: digestSchema,
  /** True when the source gave the run away (`--move`); otherwise a human must take it over. */
  moved: z.boolean(),
  /** HEAD the observed changes are relative to; null outside git. */
  base_commit: z.string().nullable(),
  role: filledSchema.meta({ description: 'Whose role prompt lies beside the bundle.' }),
  /** Files beside the bundle: contracts.md, error-codes.md, role prompt, diff. Names without folders. */
  files: z.array(z.looseObject({ file: filledSchema, bytes: z.int().min(0), sha256: digestSchema })),
  /** What done tasks left in the tree; null: deleted. */
  outputs: z.array(z.looseObject({ task_id: taskIdSchema, path: filledSchema, sha256: digestSchema.nullable() })),
});
export type MissionHandoff = z.infer<typeof missionHandoffSchema>;

/** The handoff bundle: all a new process needs to continue a run. The nine MUST fields of seed 003. */
export const handoffSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema,
  run_id: runIdSchema,
  objective: objectiveSchema,
  constraints: z
    .looseObject({})
    .meta({ description: 'Whatever bounds the run: time_budget, quality_bar, tool_limits and others.' }),
  ledger: z.array(ledgerRowSchema),
  active_locks: z.array(lockSchema),
  dependencies: z.array(dependencySchema),
  open_blockers: z.array(blockerSchema),
  acceptance_targets: z.array(
    z.looseObject({ task_id: taskIdSchema, criteria: z.array(filledSchema) } satisfies Fields<'acceptanceTarget'>),
  ),
  generated_at: momentSchema.optional(),
  x_mission: missionHandoffSchema.optional(),
  ...fileSystemFactsShape,
} satisfies Fields<'handoff'>);
export type HandoffBundle = z.infer<typeof handoffSchema>;
