import * as z from 'zod';
import { isBlank } from './vocabulary/forms';
import { defectSeverities, reportRecommendations, reportStatuses } from './vocabulary/milestones';

const filled = z
  .string()
  .min(1)
  .refine((value) => !isBlank(value));
const said = z.array(z.union([filled, z.looseObject({})]));
const commandsRun = z.array(
  z.looseObject({ command: filled, exitCode: z.int().nullable().optional(), notes: z.string().nullable().optional() }),
);

/**
 * `handoff.json` of a worker of the source project of seed 000. Rules beyond the shape: core/documents/sourceReports.
 * Our own workers hand in a result packet.
 */
export const workerHandoffSchema = z.looseObject({
  featureId: filled,
  status: z.enum(['complete', 'blocked', 'failed']),
  summary: filled,
  /** The id of a commit, if the report is complete. */
  commit: z.string().nullable(),
  implemented: said,
  leftUndone: said,
  filesChanged: said,
  commandsRun,
  issuesDiscovered: said,
  procedureCompliance: z.looseObject({
    readMissionContext: z.boolean(),
    checkedGitStatusBeforeWork: z.boolean(),
    ranRequiredValidation: z.boolean(),
    committedChanges: z.boolean(),
    updatedHandoff: z.boolean(),
  }),
  risks: said,
});

/** `validation-report.json` of the source project: of a scrutiny, or of a user test, which has the first fields alone. */
export const sourceReportSchema = z.looseObject({
  status: z.enum(reportStatuses),
  summary: filled,
  featureId: filled.optional(),
  commandsRun,
  assertions: z
    .array(z.looseObject({ assertionId: filled, status: z.enum(reportStatuses), evidence: z.string() }))
    .optional(),
  defects: z
    .array(
      z.looseObject({
        id: filled,
        severity: z.enum(defectSeverities),
        title: filled,
        description: filled,
        reproduction: z.string(),
        suggestedFix: z.string().nullable().optional(),
      }),
    )
    .optional(),
  procedureFindings: z
    .array(
      z.looseObject({
        id: filled,
        severity: z.enum(defectSeverities),
        title: filled,
        description: filled,
        evidence: z.string(),
      }),
    )
    .optional(),
  recommendation: z.enum(reportRecommendations).optional(),
});
