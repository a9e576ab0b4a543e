import { readRegularFile } from '../../adapters/regularFile';
import { jsonLimits, parseJsonText } from '../../adapters/jsonText';
import { checkShape } from '../../adapters/schemas';
import { checkDocument, checkedDocuments, type CheckedDocument } from '../../engine/documentCheck';
import { UsageError, type CommandSpec, type Invocation } from '../command';
import { reportFiles, type FileReport } from '../findings';
import { validatePlans } from './planValidate';

const laterKinds: readonly string[] = ['worker-handoff', 'validation-report', 'ai-project'];
const kinds: readonly string[] = ['plan', ...Object.keys(checkedDocuments)];

export const check: CommandSpec = {
  name: 'check',
  usage: 'KIND FILE...',
  takes: [2, Infinity],
  summary: 'Validate documents.',
  details: [`KIND is one of: ${kinds.join(', ')}.`, `With a later version: ${laterKinds.join(', ')}.`],
  store: false,
  async run(call) {
    const [kind = '', ...files] = call.positionals;
    if (kind === 'plan') return validatePlans(call, files);
    if (laterKinds.includes(kind))
      throw new UsageError(`check ${kind} comes with a later version; this one checks ${kinds.join(', ')}.`);
    if (!isKind(kind))
      throw new UsageError(`There is no kind ${JSON.stringify(kind)}; KIND is one of ${kinds.join(', ')}.`);
    const reports: FileReport[] = [];
    for (const file of files) reports.push(await checkFile(call, kind, file));
    return reportFiles(reports, call.out);
  },
};

async function checkFile(call: Invocation, kind: CheckedDocument, file: string): Promise<FileReport> {
  const reading = await readRegularFile(call.file(file), jsonLimits.bytes);
  if (!reading.ok) {
    return {
      file,
      valid: false,
      code: reading.code,
      findings: [{ code: reading.code, severity: 'error', pointer: '', message: reading.message }],
    };
  }
  return { file, ...checkDocument(kind, parseJsonText(reading.bytes), checkShape) };
}

function isKind(kind: string): kind is CheckedDocument {
  return Object.hasOwn(checkedDocuments, kind);
}
