import { freshContextMajor } from '../../contracts/vocabulary/freshContext';
import type { Finding } from './finding';
import { isObject, quoted, textAt, type JsonObject } from '../../base/json';
import { collectFindings, type AddFinding } from './addFinding';
import type { ShapedDocument } from './verdict';

/** Judges shape and rules; of an unknown major version nothing else. A rule's error replaces the schema's finding. */
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
    // The contract treats an empty value as a missing one.
    .map((finding) => (finding.empty === true ? { ...finding, code: 'MISSING_REQUIRED_INPUT' } : finding));
  return [...rest, ...list];
}

function judgeVersion(document: unknown, report: AddFinding): void {
  const version = textAt(document, 'schema_version');
  const major = version === null ? null : /^v?(\d+)(?:\.|$)/.exec(version)?.[1];
  if (major === null || major === undefined || Number(major) === freshContextMajor) return;
  const message = `Version ${quoted(version)} is not known here; this version of the product reads ${freshContextMajor}.x.`;
  report('UNKNOWN_SCHEMA_VERSION', '/schema_version', message);
}
