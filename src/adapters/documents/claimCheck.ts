import { claimedResultSchema } from '../../contracts/result';
import type { DocumentName } from '../../contracts/schemas';
import { validationReportSchema } from '../../contracts/validationReport';
import type { ClaimCheck } from '../../engine/ports/engine';
import { readOnce } from '../files/opened';
import { checkShape, schemaOf } from './schemas';

/** Bytes; a longer worklog is not read. */
const worklogLimit = 4 * 1024 * 1024;

/** Validates a worker's result packet against the generated schema, then types it with zod. */
export const claimCheck: ClaimCheck = {
  get schema() {
    return schemaOf('result');
  },
  get remembering() {
    return schemaOf('remembering-result');
  },
  get report() {
    return schemaOf('milestone-report');
  },
  assignmentShape: (value) => checkShape('assignment', value),
  async worklog(path) {
    // Counts an unreadable file as absent, because a worker wrote it.
    const read = await readOnce(path, worklogLimit).catch(() => null);
    return read?.kind === 'file' ? new TextDecoder().decode(read.bytes) : null;
  },
  validateReport(value) {
    const problems = problemsOf('milestone-report', value);
    const parsed = validationReportSchema.safeParse(value);
    if (problems.length === 0 && parsed.success) return { ok: true, report: parsed.data };
    return { ok: false, problems: problems.length > 0 ? problems : ['/: The report is not as the contract wants it.'] };
  },
  validate(claim) {
    const problems = problemsOf('result', claim);
    if (problems.length > 0) return { ok: false, problems };
    const parsed = claimedResultSchema.safeParse(claim);
    if (parsed.success) return { ok: true, result: parsed.data };
    return { ok: false, problems: ['/: The result packet is not as the contract wants it.'] };
  },
};

function problemsOf(name: DocumentName, value: unknown): readonly string[] {
  return checkShape(name, value)
    .filter(({ severity }) => severity === 'error')
    .map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
}
