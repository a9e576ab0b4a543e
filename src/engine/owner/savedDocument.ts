import type { Actor } from '../../contracts/vocabulary/actors';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { ExternalSave } from '../../core/observation/change';
import { readPlace } from '../../core/paths/writtenPath';
import type { MissionEngine } from '../mission/engine';
import type { EnginePorts } from '../ports/engine';

/** A save as a window of the editor reports it. */
export interface SavedDocument {
  /** POSIX path relative to the workspace root. */
  readonly path: string;
  /** SHA-256 of the bytes as that window read them. */
  readonly sha256: string;
}

/** Reports a person's save to the running missions. Reads the file itself, which must hold the saved content. */
export async function reportSavedDocument(
  actor: Actor,
  { path, sha256 }: SavedDocument,
  engines: readonly MissionEngine[],
  { handoffs, clock }: Pick<EnginePorts, 'handoffs' | 'clock'>,
): Promise<CommandAnswer> {
  const place = readPlace(path);
  if (!place.ok || place.path !== path)
    return invalid(`${path} is no path of this workspace.`, 'Save it in a folder of this workspace.');
  const at = clock.now();
  const found = (await handoffs.digests([path]))[path];
  if (found?.toUpperCase() !== sha256.toUpperCase())
    return invalid(`${path} does not hold what was saved, so it does not show who saved it.`, 'Save it again.');
  await tell(engines, actor, { path, sha256: found, at });
  return { accepted: true, code: 'OK', reason: `${path} was saved by ${actor.name}.`, next: [] };
}

function invalid(reason: string, step: string): CommandAnswer {
  return { accepted: false, code: 'COMMAND_INVALID', reason, next: [step] };
}

/** Reports that an approval was written into a plan file, so that no worker is blamed. Excuses no other change. */
export async function reportApprovedPlan(
  actor: Actor,
  { plan_path, plan_sha256 }: { readonly plan_path: string; readonly plan_sha256: string },
  engines: readonly MissionEngine[],
  clock: EnginePorts['clock'],
): Promise<void> {
  if (!/^docs\/plans\/[^/\\]+\.json$/.test(plan_path)) return;
  await tell(engines, actor, { path: plan_path, sha256: plan_sha256, at: clock.now() });
}

async function tell(engines: readonly MissionEngine[], actor: Actor, save: ExternalSave): Promise<void> {
  for (const engine of engines) if (engine.mission) await engine.submit({ type: 'DocumentWasSaved', save }, actor);
}
