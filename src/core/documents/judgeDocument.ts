import { freshContextMajor } from '../../contracts/vocabulary/freshContext';
import type { Finding } from './finding';
import { isObject, quoted, textAt, type JsonObject } from '../../base/json';
import { collectFindings, type AddFinding } from './addFinding';
import type { ShapedDocument } from './verdict';

/**
 * Shape and rules of one document. An unknown major version ends the judgement: nothing else of such a document can be
 * understood. Where a rule has spoken about a value, the schema's own sentence about it adds nothing.
 */
export function judgeDocument(
  { value, shape }: ShapedDocument,
  rules: (document: JsonObject, report: AddFinding) => void,
): readonly Finding[] {
  const { report, list } = collectFindings();
  judgeVersion(value, report);
  if (list.length > 0) return list;
  if (shape === null) {
    report('MISSING_VALIDATOR', '', 'The schema of this document is not available, so nothing can be validated.');
    return list;
  }
  if (isObject(value)) rules(value, report);
  const spoken = new Set(list.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer));
  const rest = shape
    .filter(({ code, pointer }) => code === 'MISSING_REQUIRED_INPUT' || !spoken.has(pointer))
    // To the contract, an empty value is one that was not supplied.
    .map((finding) => (finding.empty === true ? { ...finding, code: 'MISSING_REQUIRED_INPUT' } : finding));
  return [...rest, ...list];
}

function judgeVersion(document: unknown, report: AddFinding): void {
  const version = textAt(document, 'schema_version');
  const major = version === null ? null : /^v?(\d+)(?:\.|$)/.exec(version)?.[1];
  if (major === null || major === undefined || Number(major) === freshContextMajor) return;
  report(
    'UNKNOWN_SCHEMA_VERSION',
    '/schema_version',
    `Version ${quoted(version)} is not known here; this version of the product reads ${freshContextMajor}.x.`,
  );
}
