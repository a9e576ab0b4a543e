import type { Outstanding } from '../core/observation/outstanding';
import type { PathStanding, StandingQuery } from '../core/observation/standing';
import type { Outcome } from './ports';
import type { EnginePorts } from './ports/hostPorts';

/** What is now where something blocked a task, and at these further places. Nobody is asked about nothing. */
export async function standingOf(
  list: readonly Outstanding[],
  further: readonly StandingQuery[],
  { workspace }: Pick<EnginePorts, 'workspace'>,
): Promise<Outcome<readonly PathStanding[]>> {
  const listed = list.flatMap(({ path, kind, resolved_path, before_sha256, found_sha256 }): readonly StandingQuery[] =>
    kind === 'unread' ? [] : [{ path, kind, resolved_path, before_sha256, after_sha256: found_sha256 }],
  );
  const asked = [...listed, ...further];
  return asked.length === 0 ? { ok: true, value: [] } : workspace.standing(asked);
}
