import { errorWords } from '../../base/outcome';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import type { Finding } from '../../core/documents/finding';

/** The finding when the check itself fails on a document; other documents are not affected. */
export function checkFailed(error: unknown): Finding {
  const why = errorWords(error);
  return {
    code: 'CHECK_FAILED' satisfies FindingCode,
    severity: 'error',
    pointer: '',
    message: `The check itself failed (${why.slice(0, 200)}), so this document counts as not valid; please report it together with the file.`,
  };
}
