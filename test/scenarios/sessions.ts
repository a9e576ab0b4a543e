import type { Report } from '../../src/core/model/inputs';
import { liveSession } from '../../src/core/model/session';
import type { Mission } from '../../src/core/model/state';
import type { SessionScript } from './scenario';
import type { Due } from './due';
import { end } from './world';

/** Answers an effect of the runtime orchestrator the way the scenario says; undefined: another effect. */
export function sessionAnswer(
  effect: Due,
  mission: Mission,
  script: SessionScript,
  clock: () => string,
): Report | null | undefined {
  switch (effect.kind) {
    case 'prepareOrchestrator':
      return script.impossible === undefined
        ? {
            type: 'OrchestratorWasPrepared',
            launch_id: effect.launch_id,
            prepared: {
              worker: mission.orchestrator?.worker ?? 'claude',
              cli_version: null,
              version_tested: null,
              argv: ['orchestrator'],
              confinement: 'task_sandbox',
              confinement_detail: 'none in scenarios',
              env_names: [],
              model: null,
              prompt_sha256: 'D'.repeat(64),
            },
            token_public_key: 'public',
            manifest_sha256: 'B'.repeat(64),
          }
        : unavailable(effect.launch_id, script.impossible, 'it cannot be had.');
    case 'startOrchestrator':
      if (script.forgotten === true)
        return unavailable(effect.launch_id, 'ORCHESTRATOR_UNAVAILABLE', 'its token is gone.');
      return {
        type: 'OrchestratorWasStarted',
        launch_id: effect.launch_id,
        process: {
          launch_id: effect.launch_id,
          nonce: '0'.repeat(32),
          supervisor: { pid: 20, start_time: '1', boot_id: 'boot' },
          worker: { pid: 21, start_time: '2', boot_id: 'boot' },
          env_names: [],
          started_at: clock(),
        },
      };
    case 'awaitOrchestrator': {
      const session = liveSession(mission);
      const stopped = Boolean(session?.stop ?? session?.stopped_by);
      const changed_at = script.changed_at ?? clock();
      const look: Extract<Report, { type: 'OrchestratorHasEnded' }>['look'] =
        script.unread === true
          ? { unread: 'a folder is unreadable' }
          : {
              changes: (script.changes ?? []).map((path) => ({
                path,
                kind: path.startsWith('.git/') ? 'git' : 'modified',
                before_sha256: '1'.repeat(64),
                after_sha256: '2'.repeat(64),
                resolved_path: null,
                changed_at,
                detail: null,
              })),
              observed_sha256: 'E'.repeat(64),
              comparison: { case_insensitive: false },
            };
      return {
        type: 'OrchestratorHasEnded',
        launch_id: effect.launch_id,
        end: end(script.end ?? {}, stopped, clock),
        look,
        ...(script.without_tools && { without_tools: true }),
      };
    }
    case 'stopOrchestrator':
      return null;
    default:
      return undefined;
  }
}

function unavailable(
  launch_id: string,
  code: Extract<Report, { type: 'OrchestratorWasUnavailable' }>['code'],
  reason: string,
): Report {
  return { type: 'OrchestratorWasUnavailable', launch_id, code, reason };
}
