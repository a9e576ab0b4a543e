import { orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import type { LaunchTicket } from '../../contracts/launch';
import { reservedPaths } from '../../contracts/vocabulary/plan';
import { modelOfOrchestrator } from '../../core/mission/orchestratorModel';
import type { Report } from '../../core/model/inputs';
import type { Session } from '../../core/model/session';
import type { Mission } from '../../core/model/state';
import { isApproved, planStep, planWords } from '../../core/lifecycle/planWait';
import { notHeldBack, readOnlyLinks } from '../../core/confinement/words';
import type { Refusal } from '../../base/outcome';
import { agentWorkers } from '../../workers/registry';
import { readsOnly } from '../../workers/shared/launchLine';
import { versionStanding } from '../../workers/versions';
import { orchestratorPrompt } from '../../workers/shared/orchestratorPrompt';
import type { EnginePorts } from '../ports/engine';
import { hostsOf } from '../plans/agentNetwork';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import { speaksTo } from '../plans/speaksTo';
import { holdWithin } from './confine';
import { firstLook, packetFactsOf } from './orchestratorFacts';
import { readPlanNow } from './planHash';
import { liveSessionOf, recordSession, sessionSeconds } from './orchestratorSession';
import type { EffectRun } from './effectRun';

/**
 * Writes the run directory of an orchestrator's session with its ticket, after a look at the workspace. Starts nothing.
 * Where no session is possible, the mission waits for a person.
 */
export async function prepareOrchestrator({
  effect,
  mission,
  ports,
  options,
  send,
}: EffectRun<'prepareOrchestrator'>): Promise<Report> {
  const { launch_id } = effect;
  const session = liveSessionOf(mission, launch_id);
  const { orchestrator } = mission;
  if (!orchestrator) throw new Error('A session of a mission that has no orchestrator.');
  const name = orchestrator.worker;
  const worker = agentWorkers[name];
  const without = ({ code, reason }: Refusal): Report => ({
    type: 'OrchestratorWasUnavailable',
    launch_id,
    code,
    reason,
  });
  const plan = await readPlanNow(mission, ports);
  if (!isApproved(mission, plan.observed))
    return without({ code: 'PLAN_HASH_MISMATCH', reason: planWords(mission, plan), next: [planStep(mission)] });
  const found = await ports.workers.resolve(name);
  if (!found.ok) return without(found.refusal);
  const { executable, version, extra_args, env_names, default_model, hosts: configured, provider } = found.value;
  const selected = modelOfOrchestrator(mission, default_model);
  if (selected?.ok === false) return without({ code: 'MODEL_REFUSED', reason: selected.reason, next: [] });
  const unsafe = refusalOfExtraArguments(name, extra_args, ports.workers.surface);
  if (unsafe) return without(unsafe);
  const server = await ports.orchestrator.server();
  if (!server.ok) return without(server.refusal);
  const { run_dir } = session.launch;
  const boundary = { writable: [], sealed: reservedPaths, network: true };
  const program = {
    programWords: [executable, ...extra_args],
    own: [server.value.command, ...server.value.args],
    hosts: hostsOf(name, configured, provider),
  };
  const confined = await holdWithin(mission, { boundary, worker, run_dir, granted: [] }, program, ports);
  if (!confined.ok) return without(confined.refusal);
  const before = await ports.workspace.baseline({ mission_id: mission.mission_id, forbidden_paths: [] });
  if (!before.ok) return without(before.refusal);

  const runDir = ports.paths.runDir(mission.mission_id, run_dir);
  const model = selected?.selection.resolved_id ?? orchestrator.model ?? default_model;
  const line = worker.launch({
    ...readsOnly,
    ...{ executable, version, runDir, model },
    workspaceDir: ports.paths.workspace_dir,
    sessionId: session.launch.session_id,
    ...(provider && { providerArgs: provider.args }),
    extraArgs: extra_args,
    mission: server.value,
    ...(confined.value.by && { heldBy: confined.value.by }),
  });
  const { sandbox, lacking, network } = confined.value;
  const names = [...new Set([...worker.environmentNames, ...env_names])];
  const now = ports.clock.now();
  const ticket: LaunchTicket = {
    schema_version: '1.0.0',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    task_id: session.task_id,
    role: 'orchestrator',
    launch_id,
    fence: options.fence,
    nonce: session.launch.nonce,
    issued_at: now,
    expires_at: ports.clock.after(now, options.ticket_seconds),
    worker: name,
    argv: [...line.argv],
    ...(sandbox && {
      sandbox: {
        ...{ means: sandbox.means, argv: [...sandbox.argv] },
        ...(sandbox.layers && { layers: sandbox.layers }),
        read_only: [...new Set(mission.rows.flatMap(({ scope }) => scope.paths))],
        ...(sandbox.hosts && { hosts: [...sandbox.hosts] }),
      },
    }),
    ...(mission.plan.limits ? { limits: mission.plan.limits } : {}),
    cwd: ports.paths.workspace_dir,
    model,
    env: {
      ...line.env,
      [orchestratorVariables.session]: launch_id,
      [orchestratorVariables.directory]: runDir,
    },
    env_names: names,
    heartbeat_interval_seconds: 30,
    max_runtime_seconds: sessionSeconds.longest,
    grace_seconds: options.grace_seconds,
  };
  const written = await ports.launches.prepare(runDir, await promptOf(mission, session, ports), line.files, ticket);
  if (!written.ok) return without(written.refusal);
  const opened = await ports.orchestrator.open(runDir);
  if (!opened.ok) return without(opened.refusal);
  await recordSession(mission, session, null, ports, send);
  return {
    type: 'OrchestratorWasPrepared',
    launch_id,
    token_public_key: ports.orchestrator.issue(launch_id),
    manifest_sha256: before.value.manifest_sha256,
    prepared: {
      worker: name,
      cli_version: version,
      version_tested: version === null ? null : versionStanding(version, worker.testedVersions) === 'tested',
      argv: line.argv,
      confinement: line.confinement,
      confinement_detail: `${line.confinementDetail}${lacking === null ? '' : ` ${notHeldBack(lacking, line.confinement === 'os_sandbox')}`}${readOnlyLinks(sandbox?.held ?? [])}${network}`,
      ...(sandbox && { sandbox }),
      sandbox_state: 'read_only',
      env_names: names,
      ...(provider && { speaks_to: speaksTo(provider) }),
      model,
      prompt_sha256: written.value.prompt_sha256,
    },
  };
}

async function promptOf(mission: Mission, session: Session, ports: EnginePorts): Promise<string> {
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
