import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { PathStanding, StandingQuery } from '../../../core/observation/pathState';
import type { Outcome } from '../../../base/outcome';
import type { EnginePorts } from '../../ports/engine';

/** Returns what is now at the paths that blocked a task, and at further ones. */
export async function standingOf(
  list: readonly Outstanding[],
  further: readonly StandingQuery[],
  { workspace }: Pick<EnginePorts, 'workspace'>,
): Promise<Outcome<readonly PathStanding[]>> {
  const listed = list.flatMap(({ path, kind, resolved_path, before_sha256, found_sha256 }): readonly StandingQuery[] =>
    kind === 'unread' ? [] : [{ path, kind, resolved_path, before_sha256, after_sha256: found_sha256 }],
  );
  const asked = [...listed, ...further];
  // A redacted name leads to no file, so a person decides about it.
  const nameless = asked.filter(({ path }) => redactedName.test(path)).map(unknown);
  const named = asked.filter(({ path }) => !redactedName.test(path));
  const found = named.length === 0 ? ({ ok: true, value: [] } as const) : await workspace.standing(named);
  return found.ok ? { ok: true, value: [...found.value, ...nameless] } : found;
}

/** The form that `storedName` gives. */
export const redactedName = /\[redacted:[a-z_]+\].*~[0-9a-f]{12}$/s;

function unknown({ path, kind }: StandingQuery): PathStanding {
  return { path, kind, found: 'unknown', sha256: null, mode: null, says: null, git: null };
}
