import { judgeReported, selectModel, type Selected, type WantedModel } from '../../policy/selectModel';
import type { LaunchEnd } from '../../model/facts';
import type { Session } from '../../model/session';
import { modelOfSession } from '../../model/sessionModel';
import type { ReceivedPlan } from '../../model/state';

/**
 * The model of its sessions, or why none; null: no orchestrator.
 *
 * @param configured what this machine's settings name
 */
export function modelOfOrchestrator(mission: ReceivedPlan, configured: string | null): Selected | null {
  const wanted = wantedOf(mission, configured);
  return wanted ? selectModel(mission.policy, wanted) : null;
}

/** Says why the model that ran a session may not decide; null: it may, or the CLI does not say which it was. */
export function refusedModel(mission: ReceivedPlan, { launch }: Session, { model }: LaunchEnd): string | null {
  const wanted = wantedOf(mission, launch.prepared?.model ?? null);
  const selected = modelOfOrchestrator(mission, launch.prepared?.model ?? null);
  if (!wanted || !selected?.ok) return null;
  const verdict = judgeReported(mission.policy.policy, wanted, selected.selection, model);
  return verdict.kind === 'refused' ? verdict.reason : null;
}

function wantedOf({ orchestrator }: ReceivedPlan, configured: string | null): WantedModel | null {
  return orchestrator && modelOfSession(orchestrator, configured);
}
