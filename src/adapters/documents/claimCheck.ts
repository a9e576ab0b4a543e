import { claimedResultSchema } from '../../contracts/result';
import type { ClaimCheck } from '../../engine/ports/engine';
import { readOnce } from '../files/opened';
import { checkShape, generatedSchemas } from './schemas';

/** Longer worklogs are not read. Bytes. */
const worklogLimit = 4 * 1024 * 1024;

/** Validates a worker's result packet against the generated schema, then types it with zod. */
export const claimCheck: ClaimCheck = {
  schema: generatedSchemas.result,
  remembering: generatedSchemas['remembering-result'],
  assignmentShape: (value) => checkShape('assignment', value),
  async worklog(path) {
    // A worker wrote the file; one that cannot be read counts as absent.
    const read = await readOnce(path, worklogLimit).catch(() => null);
    return read?.kind === 'file' ? new TextDecoder().decode(read.bytes) : null;
  },
  validate(claim) {
    const problems = checkShape('result', claim)
      .filter(({ severity }) => severity === 'error')
      .map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
    if (problems.length > 0) return { ok: false, problems };
    const parsed = claimedResultSchema.safeParse(claim);
    if (parsed.success) return { ok: true, result: parsed.data };
    return { ok: false, problems: ['/: The result packet is not as the contract wants it.'] };
  },
};
