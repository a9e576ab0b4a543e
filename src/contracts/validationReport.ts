import * as z from 'zod';
import { visibleTextSchema as text } from './record/header';
import { defectSeverities, reportRecommendations, reportStatuses } from './vocabulary/milestones';

const assertion = { assertionId: text, status: z.enum(reportStatuses), evidence: z.string() };
const found = { id: text, severity: z.enum(defectSeverities), title: text, description: text };
const defect = { ...found, reproduction: z.string() };
const procedureFinding = { ...found, evidence: z.string() };

/**
 * The report of an agent that validates a milestone: the fields of a validation report of seed 000's source project,
 * closed, because the CLIs' structured outputs require closed objects. Rules beyond the shape:
 * core/lifecycle/judge/judgeReport.ts.
 */
export const validationReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** The unit that validates, as its prompt names it. */
  runId: text,
  milestoneId: text,
  status: z.enum(reportStatuses),
  summary: text,
  commandsRun: z.array(z.strictObject({ command: text, exitCode: z.int().nullable(), notes: z.string().nullable() })),
  assertions: z.array(z.strictObject(assertion)),
  defects: z.array(z.strictObject({ ...defect, suggestedFix: z.string().nullable() })),
  procedureFindings: z.array(z.strictObject(procedureFinding)),
  recommendation: z.enum(reportRecommendations),
});
export type ValidationReport = z.infer<typeof validationReportSchema>;

const said = z.array(z.union([text, z.looseObject({})]));
const commandsRun = z.array(
  z.looseObject({ command: text, exitCode: z.int().nullable().optional(), notes: z.string().nullable().optional() }),
);

/** `handoff.json` of a worker of seed 000's source project. Further rules: core/documents/sourceReports. */
export const workerHandoffSchema = z.looseObject({
  featureId: text,
  status: z.enum(['complete', 'blocked', 'failed']),
  summary: text,
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
  summary: text,
  featureId: text.optional(),
  commandsRun,
  assertions: z.array(z.looseObject(assertion)).optional(),
  defects: z.array(z.looseObject({ ...defect, suggestedFix: z.string().nullable().optional() })).optional(),
  procedureFindings: z.array(z.looseObject(procedureFinding)).optional(),
  recommendation: z.enum(reportRecommendations).optional(),
});
