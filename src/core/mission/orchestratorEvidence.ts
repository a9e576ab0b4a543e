import type { HeaderFacts } from '../evidence/facts';
import type { Mission } from '../model/state';

/** Returns what the header of a mission records of its orchestrator; nothing where only people decide. */
export function orchestratorEvidence({ orchestrator, sessions }: Mission): Pick<HeaderFacts, 'orchestrator'> {
  if (!orchestrator) return {};
  const finished = sessions.flatMap(({ launch, packet_id, task_id, choice, result }) => {
    if (!result) return [];
    const why = result.kind === 'applied' ? { code: null, reason: null } : { code: result.code, reason: result.reason };
    const { launch_id, end } = launch;
    const model = end?.model ?? null;
    return [{ launch_id, packet_id, task_id, model, result: result.kind, chose: choice?.outcome ?? null, ...why }];
  });
  return { orchestrator: { worker: orchestrator.worker, sessions: finished } };
}
