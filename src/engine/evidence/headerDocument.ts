import { executionHeaderSchema, type ExecutionHeader } from '../../contracts/record/header';
import { unsealed } from '../../contracts/vocabulary/files/evidenceFiles';
import { documentText } from '../../base/json';

/** Text of EXECUTION_HEADER.json without its seal, with the members of the contract in its order. */
export function headerDocument(header: ExecutionHeader): string {
  const members = new Map<string, unknown>(Object.entries(header));
  const inOrder = Object.keys(executionHeaderSchema.shape).map((key) => [key, members.get(key)]);
  return documentText({ ...Object.fromEntries(inOrder), header_sha256: unsealed });
}
