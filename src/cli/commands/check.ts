import path from 'node:path';
import { projectBytes, projectFilesOf } from '../../adapters/documents/project';
import { readRegularFile } from '../../adapters/files/regular';
import { jsonLimits, parseJsonText, type JsonText } from '../../adapters/documents/json';
import { checkShape } from '../../adapters/documents/schemas';
import type { Finding } from '../../core/documents/finding';
import { nearest } from '../../base/text/nearest';
import { checkDocument, checkedDocuments, type CheckedDocument } from '../../engine/plans/documentCheck';
import { recognise, type DocumentKind } from '../../engine/plans/recognise';
import { required, several, UsageError, type Command, type Invocation } from '../shell/command';
import type { ExitCode } from '../shell/output';
import { reportFiles, type FileReport } from '../show/findings';
import { checkPlanFile, validatePlans } from './plan/planValidate';

const kinds = ['plan', ...Object.keys(checkedDocuments)] as readonly DocumentKind[];

export const check: Command = {
  usage: '[KIND] FILE...',
  takes: [several(required.document)],
  summary: 'Validate documents.',
  details: [`KIND is one of: ${kinds.join(', ')}. Without it each document is recognised by its fields.`],
  store: false,
  async run(call) {
    const [first, ...files] = call.positionals;
    const kind = kinds.find((one) => one === first);
    if (kind === undefined) return checkEach(call, call.positionals, null);
    if (files.length === 0) throw new UsageError(`No file is named; write mission check ${kind} and the files.`);
    return kind === 'plan' ? validatePlans(call, files) : checkEach(call, files, kind);
  },
};

async function checkEach(call: Invocation, files: readonly string[], kind: CheckedDocument | null): Promise<ExitCode> {
  const reports: FileReport[] = [];
  for (const file of files) reports.push(await checkFile(call, kind, file));
  const [first] = reports;
  // A first word that is neither a kind nor a file was meant as a kind.
  if (kind === null && first?.code === 'FILE_NOT_FOUND' && files.length > 1 && /^[a-z-]+$/.test(first.file)) {
    const near = nearest(first.file, kinds);
    throw new UsageError(
      `There is no kind ${JSON.stringify(first.file)}${near === null ? '.' : `; did you mean ${near}?`} KIND is one of ${kinds.join(', ')}.`,
    );
  }
  return reportFiles(reports, call.out, kind === null);
}

async function checkFile(call: Invocation, wanted: CheckedDocument | null, file: string): Promise<FileReport> {
  const reading = await readRegularFile(call.file(file), jsonLimits.bytes);
  if (!reading.ok)
    return invalid(file, { code: reading.code, severity: 'error', pointer: '', message: reading.message });
  const text = parseJsonText(reading.bytes);
  const size = reading.bytes.length;
  if (wanted !== null) return checkAs(call, wanted, file, { text, size });
  const broken = text.findings.find(({ severity }) => severity === 'error');
  if (text.value === undefined && broken !== undefined) return invalid(file, broken);
  const found = recognise(text.value);
  if (found.kind === null) return invalid(file, text.locate([found.finding])[0] ?? found.finding);
  if (found.kind === 'plan') return checkPlanFile(call, file);
  return checkAs(call, found.kind, file, { text, size });
}

async function checkAs(
  call: Invocation,
  kind: CheckedDocument,
  file: string,
  { text, size }: { readonly text: JsonText; readonly size: number },
): Promise<FileReport> {
  if (kind === 'ai-project' && size > projectBytes)
    return invalid(file, {
      code: 'SCHEMA_INVALID',
      severity: 'error',
      pointer: '',
      message: `The file is larger than ${projectBytes / 1024} KB, so no task would be given it; write what is needed alone.`,
    });
  // Decision records lie beside ai.project.json.
  const records = kind === 'ai-project' ? await projectFilesOf(path.dirname(call.file(file))).records() : null;
  return { file, kind, ...checkDocument(kind, text, checkShape, records ? { records } : {}) };
}

function invalid(file: string, finding: Finding): FileReport {
  return { file, valid: false, code: finding.code, findings: [finding] };
}
