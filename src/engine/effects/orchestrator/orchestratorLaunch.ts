import { documentText } from '../../../base/json';
import { done, refused, type Outcome } from '../../../base/outcome';
import type { ExitRecord } from '../../../contracts/launch';
import type { OrchestratorSessionRecord } from '../../../contracts/orchestratorSession';
import { orchestratorSessionFile, orchestratorVariables } from '../../../contracts/vocabulary/orchestrator';
import { reservedPaths } from '../../../contracts/vocabulary/plan';
import { defaultAgent } from '../../../contracts/vocabulary/workers';
import { isApproved, planStep, planWords } from '../../../core/lifecycle/parts/planWait';
import { modelOfOrchestrator } from '../../../core/mission/orchestrator/model';
import type { Report } from '../../../core/model/inputs';
import { launchFollows } from '../../../core/model/lanes';
import { sessionOf, type Session } from '../../../core/model/session';
import type { Tasks, Progress } from '../../../core/model/state';
import { judgeLiveChange, type LiveScope } from '../../../core/observation/liveScope';
import { orchestratorPrompt } from '../../../workers/shared/orchestratorPrompt';
import { readsOnly } from '../../../workers/shared/launchLine';
import type { EnginePorts } from '../../ports/engine';
import { ownPlaces } from '../launch/announcements';
import { answerRequest } from './answerRequest';
import type { EffectRun, LaunchRun } from '../run/effectRun';
import { journalledLaunch, sessionSeconds } from '../launch/journalledLaunch';
import { findAgent, prepare, type Listener, type Purpose } from '../launch/launch';
import { firstLook, packetFactsOf } from './orchestratorFacts';
import { readPlanNow } from '../launch/planHash';
import { launchEnd, usageFacts } from '../watch/reportEnd';
import { put, type Writing } from '../write/written';

/** Looks at the workspace first. Where no session is possible, the mission waits for a person. */
export async function prepareOrchestrator(run: EffectRun<'prepareOrchestrator'>): Promise<Report> {
  const { launch_id } = run.effect;
  const prepared = await prepareSession(run);
  if (prepared.ok) return prepared.value;
  const { code, reason } = prepared.refusal;
  return { type: 'OrchestratorWasUnavailable', launch_id, code, reason };
}

async function prepareSession(run: EffectRun<'prepareOrchestrator'>): Promise<Outcome<Report>> {
  const { mission, ports, options } = run;
  const { launch_id } = run.effect;
  const session = liveSessionOf(mission, launch_id);
  const { orchestrator } = mission;
  if (!orchestrator) throw new Error('A session of a mission that has no orchestrator.');
  const plan = await readPlanNow(mission, ports);
  if (!isApproved(mission, plan.observed))
    return refused('PLAN_HASH_MISMATCH', planWords(mission, plan), planStep(mission));
  const agent = await findAgent(orchestrator.worker, ports);
  if (!agent.ok) return agent;
  const { default_model } = agent.value;
  const selected = modelOfOrchestrator(mission, default_model);
  if (selected?.ok === false) return refused('MODEL_REFUSED', selected.reason);
  const server = await ports.orchestrator.server();
  if (!server.ok) return server;
  const before = await ports.workspace.baseline({ mission_id: mission.mission_id, forbidden_paths: [] });
  if (!before.ok) return before;
  const { run_dir, session_id, nonce } = session.launch;
  const runDir = ports.paths.runDir(mission.mission_id, run_dir);
  const model = selected?.selection.resolved_id ?? orchestrator.model ?? default_model;
  const ready = await prepare(
    {
      mission,
      runs: agent.value,
      own: [server.value.command, ...server.value.args],
      bound: { boundary: { writable: [], sealed: reservedPaths, network: true }, run_dir, granted: [] },
      asked: { ...readsOnly, sessionId: session_id, model, mission: server.value },
      prompt: await promptOf(mission, session, ports),
      files: [],
      read_only: { read_only: [...new Set(mission.rows.flatMap(({ scope }) => scope.paths))] },
      ticket: {
        ...{ run_id: mission.run_id, task_id: session.task_id, launch_id, nonce, fence: options.fence },
        role: 'orchestrator',
        limits: mission.plan.limits,
        model,
        env: { [orchestratorVariables.session]: launch_id, [orchestratorVariables.directory]: runDir },
        heartbeat_interval_seconds: 30,
        max_runtime_seconds: sessionSeconds.longest,
        grace_seconds: options.grace_seconds,
      },
      ticket_seconds: options.ticket_seconds,
      sandbox_state: 'read_only',
    },
    ports,
  );
  if (!ready.ok) return ready;
  const opened = await ports.orchestrator.open(runDir);
  if (!opened.ok) return opened;
  await recordSession(session, null, run);
  return done({
    type: 'OrchestratorWasPrepared',
    launch_id,
    token_public_key: ports.orchestrator.issue(launch_id),
    manifest_sha256: before.value.manifest_sha256,
    prepared: ready.value,
  });
}

async function promptOf(mission: Progress, session: Session, ports: EnginePorts): Promise<string> {
  const { facts, untrusted, artifacts } = await packetFactsOf(mission, session, ports);
  return orchestratorPrompt({
    missionId: mission.mission_id,
    planId: mission.plan.plan_id,
    taskId: session.task_id,
    packetId: session.packet_id,
    facts: JSON.stringify(facts, null, 2),
    untrusted: [...untrusted, ...(await firstLook(mission, session, ports))],
    artifacts,
    minutes: sessionSeconds.longest / 60,
  });
}

/** A session of the runtime orchestrator: answers its requests until it has ended, then looks at the workspace. */
export function orchestratorLaunch(run: LaunchRun): Purpose<Report> {
  const { effect, mission, ports, options, reporting } = run;
  const { launch_id } = effect;
  const { tell } = reporting;
  const session = liveSessionOf(mission, launch_id);
  const { launch, token_public_key: public_key } = session;
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const known = journalledLaunch(mission, launch, options);
  const refused = (reason: string): Report => ({
    type: 'OrchestratorWasUnavailable',
    launch_id,
    code: 'LAUNCH_REFUSED',
    reason,
  });
  return {
    ...{ runDir, known, refused },
    watched: launch.process && {
      task_id: session.task_id,
      started_at: launch.process.started_at,
      timeout_seconds: sessionSeconds.silent,
      is_agent: true,
    },
    async beforeStart() {
      const secrets = ports.orchestrator.secret(launch_id);
      // Another process made the token and is gone. A session that it started goes on; this process cannot start one.
      if (!secrets && (await ports.launches.standing(runDir, known)) === 'unstarted') {
        await ports.launches.requestStop(runDir, known, 'the owner that knew its token is gone');
        return { result: refused('The process that prepared it ended before it was started, and its token with it.') };
      }
      return { start: { secrets: secrets ?? {}, ahead: launchFollows(mission) } };
    },
    onStart: (process) => Promise.resolve({ type: 'OrchestratorWasStarted', launch_id, process }),
    listen(): Listener {
      const mustEnd = (code: 'NON_COMPLIANT' | 'ORCHESTRATOR_LIMIT' | 'TASK_TIMEOUT', reason: string): void =>
        void tell({ type: 'OrchestratorMustEnd', launch_id, code, reason });
      const decided = lingering(ports, () => mustEnd('TASK_TIMEOUT', 'It had decided and did not end.'));
      const requests = ports.orchestrator.watch(
        { run_dir: runDir, launch_id, nonce: launch.nonce, process: launch.process, public_key: public_key ?? '' },
        async (request) => {
          const now = await answerRequest(request, { launch_id, run_dir: runDir }, ports, reporting);
          if (now?.choice) decided.begin();
        },
        () => mustEnd('ORCHESTRATOR_LIMIT', 'It made more requests than are answered.'),
      );
      if (session.choice) decided.begin();
      const scope: LiveScope = {
        ...ports.paths.scope,
        paths: [],
        forbidden_paths: [],
        granted: ownPlaces(runDir, launch),
      };
      return {
        onSignal(signal) {
          if (signal.kind === 'usage' && signal.span === 'launch')
            void tell({ type: 'OrchestratorUsageWasSeen', launch_id, usage: usageFacts(signal.usage) });
          const written = signal.kind === 'file_change' ? judgeLiveChange(signal.path, scope) : null;
          if (written?.kind === 'outside') mustEnd('NON_COMPLIANT', `It wrote ${written.path}.`);
          return null;
        },
        onSilent: ({ age_seconds }) => mustEnd('TASK_TIMEOUT', `No sign of life for ${age_seconds} s.`),
        async dispose() {
          decided.dispose();
          await requests.dispose();
        },
      };
    },
    async onEnd(exit) {
      await recordSession(session, exit.ended_at, { mission, ports, send: (report) => void tell(report) });
      return endOfSession(mission, session, exit, ports);
    },
  };
}

/** The end of a session, with what changed in the workspace since it was prepared. */
async function endOfSession(mission: Tasks, session: Session, exit: ExitRecord, ports: EnginePorts): Promise<Report> {
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
  if (changes.length > 0) await ports.savesReported();
  const { comparison } = ports.paths.scope;
  return { ...result, look: { changes, observed_sha256, comparison } };
}

/** Calls `over` when a session that has decided still runs after its grace, because it has nothing left to do. */
function lingering({ clock, timers }: EnginePorts, over: () => void): { begin(): void; dispose(): void } {
  let timer: { dispose(): void } | null = null;
  return {
    begin: () => (timer ??= timers.at(clock.after(clock.now(), sessionSeconds.lingering), over)),
    dispose: () => timer?.dispose(),
  };
}

function liveSessionOf(mission: Tasks, launchId: string): Session {
  const session = sessionOf(mission, launchId);
  if (!session) throw new Error(`No live session has the launch ${launchId}.`);
  return session;
}

async function recordSession(session: Session, endedAt: string | null, run: Writing): Promise<void> {
  const { mission, ports } = run;
  const { launch, packet_id, task_id } = session;
  const record: OrchestratorSessionRecord = {
    schemaVersion: 1,
    missionId: mission.mission_id,
    sessionId: launch.session_id,
    sessionPath: ports.paths.missionFile(mission.mission_id, `runs/${launch.run_dir}`),
    createdAt: launch.requested_at,
    active: endedAt === null,
    worker: mission.orchestrator?.worker ?? defaultAgent,
    model: launch.prepared?.model ?? mission.orchestrator?.model ?? null,
    packetId: packet_id,
    taskId: task_id,
    launchId: launch.launch_id,
    endedAt,
  };
  const path = ports.paths.missionFile(mission.mission_id, orchestratorSessionFile);
  await put(path, documentText(record), run);
}
