import * as z from 'zod';
import { isBlank } from './vocabulary/forms';
import { defectSeverities, reportRecommendations, reportStatuses } from './vocabulary/milestones';

const text = z
  .string()
  .min(1)
  .refine((value) => !isBlank(value));

/**
 * The report of an agent that validates a milestone: the fields of a validation report of seed 000's source project,
 * closed, because the CLIs' structured outputs require closed objects. Rules beyond the shape:
 * core/documents/validationReport.
 */
export const validationReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** The unit that validates, as its prompt names it. */
  runId: text,
  milestoneId: text,
  status: z.enum(reportStatuses),
  summary: text,
  commandsRun: z.array(z.strictObject({ command: text, exitCode: z.int().nullable(), notes: z.string().nullable() })),
  assertions: z.array(z.strictObject({ assertionId: text, status: z.enum(reportStatuses), evidence: z.string() })),
  defects: z.array(
    z.strictObject({
      id: text,
      severity: z.enum(defectSeverities),
      title: text,
      description: text,
      reproduction: z.string(),
      suggestedFix: z.string().nullable(),
    }),
  ),
  procedureFindings: z.array(
    z.strictObject({
      id: text,
      severity: z.enum(defectSeverities),
      title: text,
      description: text,
      evidence: z.string(),
    }),
  ),
  recommendation: z.enum(reportRecommendations),
});
export type ValidationReport = z.infer<typeof validationReportSchema>;
