import { workPlaces } from '../../contracts/vocabulary/confinement';
import type { ExitRecord } from '../../contracts/launch';
import type { Report } from '../../core/model/inputs';
import type { Session } from '../../core/model/session';
import type { Mission } from '../../core/model/state';
import { judgeLiveChange, type LiveScope } from '../../core/observation/liveScope';
import type { EnginePorts } from '../ports/engine';
import { answerRequest } from './answerRequest';
import { journalledSession, liveSessionOf, recordSession, sessionSeconds } from './orchestratorSession';
import { launchEnd, usageFacts } from './reportEnd';
import { watchWorker } from './watchWorker';
import type { EffectRun } from './effectRun';

/** Answers the requests of a session until its tree is gone; then looks at the workspace. */
export async function awaitOrchestrator({
  effect: { launch_id },
  mission,
  ports,
  options,
  reporting,
}: EffectRun<'awaitOrchestrator'>): Promise<Report> {
  const { tell } = reporting;
  const session = liveSessionOf(mission, launch_id);
  const { launch, token_public_key: public_key } = session;
  const run_dir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const known = journalledSession(session, options);
  const mustEnd = (code: 'NON_COMPLIANT' | 'ORCHESTRATOR_LIMIT' | 'TASK_TIMEOUT', reason: string): void =>
    void tell({ type: 'OrchestratorMustEnd', launch_id, code, reason });
  const decided = lingering(ports, () => mustEnd('TASK_TIMEOUT', 'It had decided and did not end.'));
  const requests = ports.orchestrator.watch(
    { run_dir, launch_id, nonce: launch.nonce, process: launch.process, public_key: public_key ?? '' },
    async (request) => {
      const now = await answerRequest(request, { launch_id, run_dir }, ports, reporting);
      if (now?.choice) decided.begin();
    },
    () => mustEnd('ORCHESTRATOR_LIMIT', 'It made more requests than are answered.'),
  );
  const watch = launch.process
    ? watchWorker(
        {
          ...{ runDir: run_dir, known },
          process: {
            task_id: session.task_id,
            started_at: launch.process.started_at,
            timeout_seconds: sessionSeconds.silent,
            is_agent: true,
          },
        },
        ports,
        ({ age_seconds }) => mustEnd('TASK_TIMEOUT', `No sign of life for ${age_seconds} s.`),
      )
    : null;
  const scope = scopeOf(run_dir, session.launch, ports);
  try {
    if (session.choice) decided.begin();
    const exit = await ports.launches.awaitExit(run_dir, known, (signal) => {
      watch?.spoke();
      if (signal.kind === 'waiting') watch?.waits(signal.seconds ?? 0);
      if (signal.kind === 'usage' && signal.span === 'launch')
        void tell({ type: 'OrchestratorUsageWasSeen', launch_id, usage: usageFacts(signal.usage) });
      const written = signal.kind === 'file_change' ? judgeLiveChange(signal.path, scope) : null;
      if (written?.kind === 'outside') mustEnd('NON_COMPLIANT', `It wrote ${written.path}.`);
    });
    await requests.dispose();
    await recordSession(mission, session, exit.ended_at, ports, (report) => void tell(report));
    return await endOfSession(mission, session, exit, ports);
  } finally {
    decided.dispose();
    watch?.dispose();
    await requests.dispose();
  }
}

/** The end of a session, with what changed in the workspace since it was prepared. */
export async function endOfSession(
  mission: Mission,
  session: Session,
  exit: ExitRecord,
  ports: EnginePorts,
): Promise<Report> {
  const { launch, manifest_sha256 } = session;
  const run_dir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const result = {
    type: 'OrchestratorHasEnded',
    launch_id: launch.launch_id,
    end: launchEnd(mission, launch, exit),
    ...(!(await ports.orchestrator.toolsStarted(run_dir)) && { without_tools: true }),
  } as const;
  const difference = await ports.workspace.difference({
    mission_id: mission.mission_id,
    baseline_sha256: manifest_sha256 ?? '',
    run_dir,
    forbidden_paths: [],
  });
  if (!difference.ok) return { ...result, look: { unread: difference.refusal.reason } };
  const { changes, observed_sha256 } = difference.value;
  // Waits for saves that people made as the session ended, because they decide whose a change is.
  if (changes.length > 0) await ports.savesReported?.();
  const { comparison } = ports.paths.scope;
  return { ...result, look: { changes, observed_sha256, comparison } };
}

/** The session may write its own folder only. */
function scopeOf(runDir: string, { prepared }: Session['launch'], ports: EnginePorts): LiveScope {
  const own = prepared?.sandbox?.means === 'bubblewrap' ? ['/tmp'] : [];
  const granted = [`${runDir}/${workPlaces.folder}`, ...own];
  return { ...ports.paths.scope, paths: [], forbidden_paths: [], granted };
}

/** Calls `over` when a session that has decided still runs after its grace, because it has nothing left to do. */
function lingering({ clock, timers }: EnginePorts, over: () => void): { begin(): void; dispose(): void } {
  let timer: { dispose(): void } | null = null;
  return {
    begin: () => (timer ??= timers.at(clock.after(clock.now(), sessionSeconds.lingering), over)),
    dispose: () => timer?.dispose(),
  };
}
