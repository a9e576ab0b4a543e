import { Diagnostic, DiagnosticSeverity, Range } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import type { Finding } from '../../core/documents/finding';

/** Turns a finding into VS Code's form. */
export function diagnosticOf(finding: Finding): Diagnostic {
  const diagnostic = new Diagnostic(rangeOf(finding), ui`${finding.message}`.toString(), severities[finding.severity]);
  diagnostic.source = 'Mission Control';
  diagnostic.code = finding.code;
  return diagnostic;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** Converts lines and columns, which findings count from 1; a value over several lines is marked on its first. */
function rangeOf(finding: Finding): Range {
  const line = (finding.line ?? 1) - 1;
  const column = (finding.column ?? 1) - 1;
  return new Range(line, column, line, column + Math.max(1, finding.length ?? 1));
}
