import { canonicalText, listAt, parsedJson, textAt } from '../../../base/json';
import { done, refused, type Outcome } from '../../../base/outcome';
import type { LockedIntent } from '../../../core/context/tier0';
import type { FrozenInstructions } from '../../../core/model/facts';
import type { Mission } from '../../../core/model/state';
import type { InstructionsFile } from '../../../core/plan/rules/instructions';
import type { EnginePorts } from '../../ports/engine';

const keptFile = 'instructions.json';

/** Keeps the files for the mission that begins, before the journal names them; null: the plan names no file. */
export async function freezeInstructions(
  missionId: string,
  files: readonly InstructionsFile[],
  ports: Pick<EnginePorts, 'evidence' | 'paths'>,
): Promise<Outcome<FrozenInstructions | null>> {
  if (files.length === 0) return done(null);
  const kept = ports.paths.missionFile(missionId, keptFile);
  const text = `${canonicalText({ schema_version: '1.0.0', files })}\n`;
  const written = await ports.evidence.write(kept, text);
  if (!written.ok) return written;
  return done({
    kept,
    sha256: written.value.sha256,
    files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
  });
}

/** Refuses kept files that differ from the journalled digests. A command gets no file. */
export async function frozenInstructions(
  intent: LockedIntent,
  { instructions }: Pick<Mission, 'instructions'>,
  ports: Pick<EnginePorts, 'evidence'>,
): Promise<Outcome<readonly Pick<InstructionsFile, 'path' | 'sha256' | 'text'>[]>> {
  if (instructions === null || intent.intent === null) return done([]);
  const { kept, sha256 } = instructions;
  const file = await ports.evidence.read(kept);
  if (!file.ok) return file;
  if (file.value?.sha256 !== sha256)
    return refused(
      'CONTEXT_CHANGED',
      `The instructions that were frozen for this mission are ${file.value ? 'not the ones that are kept' : 'gone'} (${kept}).`,
      'Put the file back and retry the task; or cancel the mission and run the plan again.',
    );
  return done(
    (listAt(parsedJson(file.value.text), 'files') ?? []).flatMap((entry) => {
      const path = textAt(entry, 'path');
      const digest = textAt(entry, 'sha256');
      const text = textAt(entry, 'text');
      return path === null || digest === null || text === null ? [] : [{ path, sha256: digest, text }];
    }),
  );
}
