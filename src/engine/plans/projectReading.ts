import type { ProjectReading } from '../../core/context/judgeContext';
import { checkDocument } from './documentCheck';
import type { DriverProject, ProjectFiles, ProjectText } from '../ports/project';

/** Judges the content of ai.project.json, with the decision records beside it. */
export async function judgedProject(
  read: ProjectText,
  files: Pick<ProjectFiles | DriverProject, 'records' | 'checkShape'>,
): Promise<ProjectReading> {
  if (read.kind !== 'read') return read;
  const { text } = read;
  const records = await files.records();
  const { findings } = checkDocument('ai-project', text, (_name, value) => files.checkShape(value), { records });
  return { kind: 'read', sha256: text.sha256, text: text.text ?? '', document: text.value, findings };
}
