import { cannotPropose } from '../../core/mission/orchestrator/asked';
import { sessionOf } from '../../core/model/session';
import type { Mission } from '../../core/model/state';
import { done, refused } from '../../base/outcome';
import type { Propose } from '../effects/orchestrator/answerRequest';
import { defaultWorkerOfPlans } from '../plans/check';
import type { EnginePorts } from '../ports/engine';
import { MissionReader } from '../views/reader';
import { proposeRevision } from './revise';

/** Writes the plan that a session proposes as a DRAFT of ours, once for each request. */
export function proposer(now: () => Mission, ports: EnginePorts): Propose {
  return async ({ launch_id, request_id, plan: text, reason }) => {
    const mission = now();
    const session = sessionOf(mission, launch_id);
    // The session has ended, or its answer is recorded already.
    if (!session || session.requests.some((one) => one.request_id === request_id))
      return refused('PACKET_CLOSED', 'The proposal was answered before.', 'Choose an outcome.');
    const not = cannotPropose(mission, session, reason);
    if (not) return { ok: false, refusal: not };
    const executed = await ports.evidence.executions();
    if (!executed.ok) return executed;
    const missions = (await new MissionReader(ports.journal).read()).missions.map((one) => one.mission);
    const taken = [...executed.value, ...missions.map(({ plan }) => plan.plan_id)];
    const planner = `orchestrator ${mission.orchestrator?.worker ?? ''}`;
    const request = { mission, missions, planner, defaultWorker: defaultWorkerOfPlans, taken, text };
    const written = await proposeRevision(request, ports);
    if (!written.ok) return written;
    const { plan_id, plan_path: path } = written.value;
    const { sha256 } = await ports.plans.read(ports.paths.absolute(path));
    return done({ plan_id, path, sha256: sha256 ?? '' });
  };
}
