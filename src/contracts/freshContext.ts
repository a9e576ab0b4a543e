import * as z from 'zod';
import { freshContextLimits, taskKinds } from './vocabulary/freshContext';
import { contractCodes } from './vocabulary/codes/codes';
import { filledPattern, isBlank, runIdPattern } from './vocabulary/forms';
import { ledgerStatuses } from './vocabulary/execution';
import { priorities } from './vocabulary/intents';
import { idPattern } from './vocabulary/plan';

// What the documents of Fresh Context (seed 003) share. All of them accept further fields; adapters/documents/fields
// reports the fields that no contract knows.

export const schemaVersionSchema = z
  .string()
  .regex(/^1\.\d+\.\d+$/)
  .meta({ description: 'Version of the contract; every 1.x is read.' });
/** UUID v4. */
export const runIdSchema = z
  .string()
  .regex(new RegExp(runIdPattern))
  .meta({ description: 'Id of the run, a UUID v4.' });
export const taskIdSchema = z.string().regex(new RegExp(idPattern));
/** At least one visible character; JSON Schema cannot express that, so adapters/documents/fields checks it. */
export const filledSchema = z
  .string()
  .regex(new RegExp(filledPattern))
  .refine((text) => !isBlank(text));
/** ISO-8601, UTC without a zone, as in the contract's own tools. core/ledger/time checks that the date exists. */
export const momentSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$/);
export const schemaLinkSchema = z.string().optional();
export const timeoutSecondsSchema = z
  .int()
  .min(freshContextLimits.timeout_seconds)
  .meta({ description: 'Seconds without a sign of life after which the task is timed out.' });
export const heartbeatIntervalSchema = z
  .int()
  .min(freshContextLimits.heartbeat_interval_seconds)
  .meta({ description: 'Seconds between signs of life; less than timeout_seconds.' });
export const titleSchema = filledSchema.max(freshContextLimits.title);
export const objectiveSchema = filledSchema.max(freshContextLimits.objective);
export const taskKindSchema = z.enum(taskKinds);
export const prioritySchema = z.enum(priorities);
export const ledgerStatusSchema = z.enum(ledgerStatuses);
export const contractCodeSchema = z.enum(contractCodes);
