import { projectFile } from '../../contracts/vocabulary/aiProject';
import { detectProject } from '../../core/project/detect';
import { openFields, projectText, projectValue, type ProjectValues } from '../../core/project/document';
import { projectFields, type ProjectField } from '../../core/project/fields';
import { done, type Outcome } from '../../base/outcome';
import type { ProjectFiles } from '../ports/project';
import type { Clock } from '../ports/time';

export type { ProjectField, ProjectValues };

/** Every field that a person may name. */
export const projectFieldNames: readonly string[] = projectFields.map(({ name }) => name);

/** Proposes the values that the workspace shows by itself. */
export async function proposeProject(files: ProjectFiles, clock: Clock): Promise<ProjectValues> {
  return detectProject({ ...(await files.surroundings()), today: clock.now() });
}

/** Adds a person's text. `why`: the fault of the text, to be put after the name of the field. */
export function answered(
  values: ProjectValues,
  name: string,
  text: string,
): { readonly ok: true; readonly values: ProjectValues } | { readonly ok: false; readonly why: string } {
  const field = projectFields.find((one) => one.name === name);
  if (!field) return { ok: false, why: 'there is no such field' };
  const read = projectValue(field, text);
  return read.ok ? { ok: true, values: { ...values, [name]: read.value } } : read;
}

/** The fields that neither a person nor the workspace has filled in. */
export function stillToFill(values: ProjectValues): readonly ProjectField[] {
  return openFields(values);
}

/** Writes the file; never over another. */
export async function writeProject(
  files: ProjectFiles,
  values: ProjectValues,
): Promise<Outcome<{ readonly path: string }>> {
  const written = await files.create(projectText(values));
  return written.ok ? done({ path: projectFile }) : written;
}
