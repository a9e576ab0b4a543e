import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { ContextRefusal } from '../../core/context/judgeContext';
import type { LockedIntent } from '../../core/context/tier0';
import { detectProject } from '../../core/project/detect';
import { openFields, projectText } from '../../core/project/document';
import type { EnginePorts } from '../ports/engine';

export type Bootstrapped =
  | { readonly ok: true; readonly note: string }
  | { readonly ok: false; readonly refusal: ContextRefusal };

/**
 * Phase 2a: creates ai.project.json from what the workspace says; it never replaces one. The same folder and day give
 * the same bytes, so an effect that runs again knows its own file.
 */
export async function bootstrapContext(
  intent: LockedIntent,
  startedAt: string,
  ports: EnginePorts,
): Promise<Bootstrapped> {
  const values = detectProject({ ...(await ports.project.surroundings()), today: startedAt });
  const text = projectText(values);
  const made = await ports.project.create(text);
  const open = openFields(values).map(({ name }) => name);
  const written = `${projectFile} written; to be filled in: ${open.join(', ')}`;
  if (made.ok) return { ok: true, note: written };
  const { code, reason } = made.refusal;
  if (code !== 'PROJECT_FILE_EXISTS')
    return { ok: false, refusal: { code: 'MISSING_REQUIRED_INPUT', reason, details: [code] } };
  const there = await ports.project.read(intent);
  const own = there.kind === 'read' && there.text.text === text;
  return { ok: true, note: own ? written : `${projectFile} was there and is left as it is` };
}
