import path from 'node:path';
import { launchTimes, type HostPorts } from '../../engine/ports/engine';
import { machineIdentity } from '../../adapters/system/machine';
import { missionsOnDisk } from '../../adapters/evidence/missionsOnDisk';
import { shownEvidence, type EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import type { NodePorts } from '../../adapters/nodePorts';
import { openNodeViewer, type NodeViewer } from '../../adapters/nodeViewer';
import { liveRuns } from '../../adapters/launches/launches';
import { runsInsideWorker } from '../../adapters/launches/ancestry';
import { stateFolderOf, isPathId } from '../../adapters/state/folder';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { readHost } from '../../adapters/launches/hosts';
import type { WorkerCatalogOptions, WorkerSettings } from '../../adapters/launches/workerCatalog';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { nameOfUser, type Actor } from '../../contracts/vocabulary/actors';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import type { PlanRead } from '../../core/plan/mismatch';
import { readPlanNow } from '../../engine/effects/launch/planHash';
import type { MissionHost } from '../../engine/owner/host';
import { ofThisUser } from '../../adapters/journal/journal';
import { MissionReader, ofWorkspace } from '../../engine/views/reader';
import { missionControlSnapshot } from '../../engine/views/snapshot';
import { done, type Outcome, type Refusal } from '../../base/outcome';
import { agentCatalog, perAgent } from '../../workers/registry';
import { personNamed, UsageError, type Invocation, type OptionSpec } from '../shell/command';
import type { ExitCode } from '../shell/output';
import { terminal } from '../../base/text/marked/terminal';
import { supervisorFile, toolVersion } from '../shell/program';
import type { Mission } from '../../core/model/state';
import { createEvidenceFiles } from '../../adapters/evidence/files';
import { createHandoffFiles } from '../../adapters/handoff/files';
import type { MissionSources } from '../../engine/mission/carried';
import { offeredSteps, stepLines, fileStep } from '../../base/text/steps';
import { fewNamed } from '../../base/text/firstNamed';
import { ownerWords } from '../../adapters/state/lease';
import { createTimers, systemClock } from '../../adapters/system/clock';
import type { LongWait } from '../../engine/owner/deliver';
import { existsSync, realpathSync } from 'node:fs';
import { planIdIn } from '../../base/planId';
import { quotedName } from '../../base/text/oneLine';
import { quotedArguments } from '../../base/text/marked/visible';
import type { Finding } from '../../core/documents/finding';
import { workspaceOf } from '../../engine/plans/disk';
import { optionsOf } from './confinement';

/** Settings of worker CLIs on this machine; VS Code has settings for them. */
export const workerOptions = {
  cli: { value: 'NAME=PATH', multiple: true, help: 'Executable of a worker CLI (default: looked up on PATH).' },
  'cli-model': { value: 'NAME=MODEL', multiple: true, help: 'Model for tasks of that worker that name none.' },
  'cli-env': {
    value: 'NAME=VARIABLE',
    multiple: true,
    help: 'Name of a further variable that worker may see.',
  },
  'cli-host': {
    value: 'NAME=HOST[:PORT]',
    multiple: true,
    help: 'Further host that worker may reach in addition to its provider, where --agent-network provider limits it (port: 443).',
  },
  'cli-arg': { value: 'NAME=ARGUMENT', multiple: true, help: 'Extra argument for that worker CLI.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Looks at the missions of a workspace, and owns nothing. The viewer is null where there is no journal yet. */
export async function looking<T>(
  workspaceDir: string,
  look: (viewer: NodeViewer | null) => Promise<T>,
): Promise<Outcome<T>> {
  const viewer = await openNodeViewer({ workspaceDir, journal: { kind: 'in_process' } });
  if (!viewer.ok) return viewer;
  try {
    return done(await look(viewer.value));
  } finally {
    await viewer.value?.close();
  }
}

/** The same for a command, which is refused where the journal cannot be read. */
export async function lookingFor(
  { workspace, out }: Invocation,
  look: (viewer: NodeViewer | null) => Promise<ExitCode>,
): Promise<ExitCode> {
  const exit = await looking(workspace, look);
  return exit.ok ? exit.value : out.refuse(exit.refusal);
}

/** The mission that a snapshot has just shown. */
export async function missionIn(viewer: NodeViewer | null, missionId: string): Promise<Mission> {
  const read = viewer && (await new MissionReader(viewer.journal).read());
  const found = read?.missions.find(({ mission }) => mission.mission_id === missionId)?.mission;
  if (!found) throw new Error(`Mission ${missionId} is gone from the journal.`);
  return found;
}

/** This process is the owner: `host` decides, `node` must be closed at the end. */
export interface Owned {
  readonly host: MissionHost;
  readonly node: NodePorts;
}

/** Opens the workspace with the settings of this call, and owns nothing; what is opened must be closed. @throws UsageError */
export async function openPorts(call: Invocation): Promise<Outcome<NodePorts>> {
  const { openNodePorts } = await import('../../adapters/nodePorts');
  return openNodePorts({
    workspaceDir: call.workspace,
    journal: { kind: 'in_process' },
    toolVersion: toolVersion(),
    workers: agentsOf(call),
    supervisor: { supervisorFile },
    onProblem: (problem) => call.out.note(terminal`${problem}`),
  });
}

/**
 * Opens the workspace and takes the lease; refused with LEASE_HELD while another process owns it.
 *
 * @param through what the owner uses in place of the ports
 */
export async function ownedBy(
  call: Invocation,
  actor: Actor,
  through: (ports: HostPorts) => HostPorts = (ports) => ports,
): Promise<Outcome<Owned>> {
  const node = await openPorts(call);
  if (!node.ok) return node;
  const options = { tool_version: toolVersion(), ...launchTimes };
  const { MissionHost: Host } = await import('../../engine/owner/host');
  const host = await Host.acquire(through(node.value.ports), options, actor);
  if (host.ok) {
    host.value.look.patrol();
    return done({ host: host.value, node: node.value });
  }
  await node.value.close();
  return host;
}

export async function owning<T>(
  call: Invocation,
  actor: Actor,
  work: (owned: Owned) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const owned = await ownedBy(call, actor);
  if (!owned.ok) return owned;
  try {
    return await work(owned.value);
  } finally {
    await owned.value.host.release();
    await owned.value.node.close();
  }
}

/** @param reader of that viewer's missions, which keeps what it has read */
export async function snapshotOf(
  viewer: NodeViewer | null,
  workspace: string,
  reader: MissionReader | null = viewer && new MissionReader(viewer.missions),
): Promise<MissionControlView> {
  const header = { workspace: path.basename(workspace), sequence: 1, now: new Date().toISOString() };
  const { view } = await missionControlSnapshot(viewer && reader && { node: viewer, reader }, {
    ...header,
    planNow: (mission) => planNow(mission, workspace),
  });
  return view;
}

/** Reads what lies on the disk of missions that the journal does not know. */
export async function foundHere(
  workspace: string,
  missions: readonly { readonly plan_id: string }[],
): Promise<readonly EvidenceOfFolder[]> {
  const known = new Set(missions.map(({ plan_id }) => plan_id));
  return (await missionsOnDisk(workspace, (plan) => known.has(plan))).listed.map(shownEvidence);
}

/** Adds the step that brings a mission back from its files, if the journal does not know it. */
export async function withWayBack(
  refusal: Refusal,
  { workspace, positionals: [wanted = ''] }: Pick<Invocation, 'workspace' | 'positionals'>,
): Promise<Refusal> {
  if (refusal.code !== 'MISSION_UNKNOWN') return refusal;
  const found = (await foundHere(workspace, [])).find((one) => wanted === one.plan_id || wanted === one.mission_id);
  if (!found) return refusal;
  const steps = found.next.length > 0 ? found.next : [`mission evidence verify ${found.plan_id}`];
  return { ...refusal, reason: `${refusal.reason} Its files lie here.`, next: [...steps, ...refusal.next] };
}

async function planNow(mission: Mission, workspace: string): Promise<PlanRead> {
  const { planFiles } = await import('../../adapters/documents/planFiles');
  return readPlanNow(mission, { plans: planFiles, paths: await readMissionPaths(workspace) });
}

/** Returns whether a worker of ours started this process, directly or not. */
export function isInsideWorker(workspace: string): Promise<boolean> {
  return liveRuns(stateFolderOf(workspace).missionsDir).then((live) => runsInsideWorker(live));
}

export function actorOf(call: Invocation): Actor {
  const by = call.text('by');
  return { kind: 'human', name: by === null ? nameOfUser(machineIdentity().user) : personNamed(by) };
}

/** @throws UsageError */
function workerSettings(call: Invocation): Readonly<Record<AgentName, WorkerSettings>> {
  const of = (option: string, worker: AgentName): string[] =>
    call.texts(option).flatMap((text) => {
      const at = text.indexOf('=');
      const name = text.slice(0, at);
      if (at < 1 || !(agentNames as readonly string[]).includes(name)) {
        throw new UsageError(`--${option} ${text}: write ${agentNames.join(', ')}, an equals sign and the value.`);
      }
      return name === worker ? [text.slice(at + 1)] : [];
    });
  const settings = (worker: AgentName): WorkerSettings => {
    const file = of('cli', worker).at(-1) ?? null;
    return {
      path: file === null ? null : call.file(file),
      extraArgs: of('cli-arg', worker),
      envNames: of('cli-env', worker),
      model: of('cli-model', worker).at(-1) ?? null,
      hosts: of('cli-host', worker).map((host) => {
        if (readHost(host) !== null) return host;
        throw new UsageError(`--cli-host ${worker}=${host}: write HOST or HOST:PORT.`);
      }),
    };
  };
  return perAgent(settings);
}

/** The agents with the settings of this call. @throws UsageError */
export function agentsOf(call: Invocation): WorkerCatalogOptions {
  const settings = workerSettings(call);
  return { ...agentCatalog, settings: (worker) => settings[worker], environment: call.environment };
}

/** Reads the missions of a workspace, which may have no journal yet. */
export async function withMissions<T>(
  workspaceDir: string,
  work: (known: MissionSources) => Promise<T>,
): Promise<Outcome<T>> {
  return looking(workspaceDir, async (viewer) => {
    const journal = viewer && ofThisUser(viewer.journal);
    const missions = journal ? ofWorkspace(await new MissionReader(journal).read()) : [];
    const evidence = createEvidenceFiles({ workspaceRoot: workspaceDir });
    return work({ missions, ports: { journal, evidence, handoffs: createHandoffFiles(workspaceDir) } });
  });
}

/** Adds to the refusal by another owner what runs there, and what a person can do about it. */
export async function besideOwner(call: Invocation, refusal: Refusal): Promise<Refusal> {
  if (refusal.code !== 'LEASE_HELD') return refusal;
  const running = await runningIn(call);
  if (running.length === 0) return refusal;
  const ids = running.map(({ mission_id }) => mission_id);
  return {
    ...refusal,
    reason: `${refusal.reason} That process runs ${running.length === 1 ? 'mission' : 'the missions'} ${fewNamed(ids)} now.`,
    next: [
      ...running.slice(0, shownAtMost).flatMap(stepsFor),
      'Then repeat the command, or wait until what runs has ended.',
      'Or end that process; ownership is free at once.',
    ],
  };
}

/** Missions whose steps are listed; `mission status` names all. */
const shownAtMost = 3;

function stepsFor({ mission_id, offers }: MissionView): readonly string[] {
  return [`mission status ${mission_id}`, ...stepLines(offeredSteps(mission_id, offers, 'pause', 'stop'))];
}

async function runningIn(call: Invocation): Promise<readonly MissionView[]> {
  const view = await looking(call.workspace, (viewer) => snapshotOf(viewer, call.workspace));
  return (view.ok ? view.value.missions : []).filter(
    ({ ending, status, lanes, runs_on }) =>
      runs_on === undefined && ending === null && (status === 'running' || lanes.length > 0),
  );
}

/** Says on stderr for whom the command waits and how long, because it prints nothing else before the answer. */
export function longWait(call: Invocation): LongWait {
  return {
    clock: systemClock,
    timers: createTimers({ keepAlive: false }),
    tell: (isOver, seconds) => void tell(call, isOver, seconds),
  };
}

async function tell({ workspace, out }: Invocation, isOver: () => boolean, seconds: number): Promise<void> {
  // A look that fails must not end the command that waits.
  const owner = await ownerOf(workspace).catch(() => 'another process');
  if (isOver()) return;
  out.note(
    terminal`Waiting for ${owner}, which runs the missions of this folder: ${seconds} seconds at most. \`mission stop --all\` stops every worker without it.`,
  );
}

async function ownerOf(workspaceDir: string): Promise<string> {
  const { leaseDb } = stateFolderOf(workspaceDir);
  const words = await looking(workspaceDir, async (viewer) => viewer && ownerWords(leaseDb, viewer.journal));
  return (words.ok ? words.value : null) ?? 'another process';
}

/**
 * Returns the workspace in whose `docs/plans` the plan lies, if that is another one than the command is for. Asked
 * before anything is opened, because opening makes a folder a workspace. Null: it is the same one, or no such plan.
 */
export async function otherWorkspace(call: Invocation): Promise<string | null> {
  const file = call.file(call.positionals[0] ?? '');
  const own = workspaceOf(file);
  if (own === null || !existsSync(file) || realpathSync(own) === realpathSync(call.workspace)) return null;
  const inside = (await readMissionPaths(call.workspace)).relative(file);
  return inside !== null && path.posix.dirname(inside) === 'docs/plans' ? null : own;
}

/** Says that a plan runs elsewhere; the step leaves the options of the person as they are. */
export function misplaced(own: string): Refusal {
  return {
    code: 'PLAN_MISPLACED',
    reason: `A plan runs only in its own workspace: this one belongs to ${own}.`,
    next: [`Repeat the command with ${quotedArguments(['--workspace', own])}.`],
  };
}

/** Returns the plan that a person meant by its id or by its path in the workspace; null: none. */
export function planMeant(call: Invocation, name: string): string | null {
  const id = planIdIn(path.basename(name));
  const places = [name, ...(isPathId(id) ? [`docs/plans/PLAN_${id}.json`] : [])];
  const meant = places.map((place) => path.resolve(call.workspace, place)).find((place) => existsSync(place));
  return meant === undefined ? null : path.relative(call.file('.'), meant);
}

/** Names the plan that is meant in the finding of a file that is not there. */
export function orMeant(call: Invocation, name: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => {
    const meant = finding.code === 'FILE_NOT_FOUND' ? planMeant(call, name) : null;
    if (meant === null) return finding;
    return { ...finding, message: `There is no such file; did you mean ${quotedArguments([meant])}?` };
  });
}

/** A plan is approved where it runs, unless the person names a workspace. */
export async function inOwnWorkspace(call: Invocation): Promise<Invocation> {
  const own = call.text('workspace') === null ? await otherWorkspace(call) : null;
  return own === null ? call : { ...call, workspace: own };
}

/** Says how the plan is run, which is possible from its own place alone. */
export function runStep(call: Invocation, name: string, place: string, planId: string): string {
  const own = `docs/plans/PLAN_${planId}.json`;
  const more = [...workspaceNamed(call), ...(optionsOf(call).options ?? [])];
  if (place === own) return fileStep('run', name, ...more);
  const there = path.join(call.workspace, own);
  if (existsSync(there)) return `give the plan another plan_id, because ${own} is there already`;
  const shown = path.relative(call.file('.'), there);
  return `move it to ${quotedName(shown).toString()}, then ${fileStep('run', shown, ...more)}`;
}

/** Names the workspace for a step, unless it is the folder where the person is. */
function workspaceNamed(call: Invocation): readonly string[] {
  const named = call.text('workspace') ?? (call.workspace === call.file('.') ? null : call.workspace);
  return named === null ? [] : [quotedArguments(['--workspace', named])];
}
