import { draftLaunches } from '../../adapters/launches/drafts';
import { createLaunches } from '../../adapters/launches/launches';
import { allowStarts, holdStarts, startsHeld } from '../../adapters/user/machineHold';
import { knownWorkspaces } from '../../adapters/user/workspaces';
import { openNodeViewer } from '../../adapters/nodeViewer';
import { errorWords } from '../../base/outcome';
import { fewNamed } from '../../base/text/firstNamed';
import { shellWord } from '../../base/text/steps';
import { decisionStep, offeredSteps, stepLine } from '../../base/text/steps';
import { nextSteps, type MissionView } from '../../contracts/page/missionView';
import type { Step } from '../../contracts/vocabulary/steps';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import type { Actor } from '../../contracts/vocabulary/actors';
import { draftTask } from '../../engine/drafts/session';
import { stopDrafts, stopWorkspace, type StoppedWorkspace } from '../../engine/owner/stopWorkspace';
import { insideWorker } from '../owner/decide';
import { actorOf, isInsideWorker, looking, ownedBy, snapshotOf, type Owned } from '../owner/session';
import type { Invocation } from '../shell/command';
import { exitCodes, type ExitCode, type Output } from '../shell/output';
import { randomUUID } from 'node:crypto';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { CommandAnswer } from '../../core/model/sessionFacts';

type Stopped = StoppedWorkspace & { readonly workspace: string; readonly problem: string | null };

/**
 * Stops everything of this user on this machine, in every workspace, also where other processes own the missions. First
 * it forbids every start; then it stops what runs, and proves it gone or names it. It stops what runs also where it
 * cannot forbid starts, because a full disk is a reason to stop.
 */
export async function stopEverything(call: Invocation): Promise<ExitCode> {
  const { out } = call;
  if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
  const actor = actorOf(call);
  const reason = call.text('reason') ?? '';
  const recorded = await holdStarts({ by: actor.name, reason, at: new Date().toISOString() });
  const forbidden = recorded.ok || (await startsHeld()) !== null;
  const workspaces = await knownWorkspaces();
  const stopped = await Promise.all(workspaces.map((workspace) => stopOne(call, workspace, actor, reason)));
  const remaining = stopped.flatMap(({ workspace, remaining: left }) => left.map((one) => ({ workspace, ...one })));
  const problems = [
    ...(recorded.ok
      ? []
      : [
          {
            workspace: 'this machine',
            problem: `${forbidden ? notRecorded : notForbidden} ${recorded.refusal.reason}`,
          },
        ]),
    ...stopped.flatMap(({ workspace, problem, silent, unreadable }) => [
      ...(problem === null ? [] : [{ workspace, problem }]),
      ...(silent ? [{ workspace, problem: silentOwner }] : []),
      ...unreadable.map(({ mission_id, reason: why }) => ({
        workspace,
        problem: `Mission ${mission_id} cannot be read, so it is unknown what runs of it: ${why}`,
      })),
    ]),
  ];
  // A person may have allowed starts again meanwhile.
  const holds = forbidden && (await startsHeld()) !== null;
  const next = [...(holds ? [release] : []), ...(recorded.ok ? [] : recorded.refusal.next)];
  const missions = stopped.flatMap(({ workspace, missions: all }) => all.map((one) => ({ workspace, ...one })));
  const complete = remaining.length === 0 && problems.length === 0;
  out.line(
    terminal`${complete ? out.paint('green', 'Everything is stopped') : out.paint('red', 'Not everything is proven to be stopped')}: ${workspaces.length} ${workspaces.length === 1 ? 'workspace' : 'workspaces'} of this user on this machine.`,
  );
  for (const { workspace, mission_id, reason: said } of missions.slice(0, mostListed))
    out.line(terminal`  ${workspace}: ${mission_id}: ${said}`);
  lineOfMore(out, missions);
  for (const { workspace, mission_id, task_id, pid } of remaining)
    out.line(
      terminal`  not proven gone: ${pid === null ? 'processes' : `process ${pid}`} of task ${task_id}, mission ${mission_id}, in ${workspace}`,
    );
  for (const { workspace, problem } of problems) out.line(terminal`  ${workspace}: ${problem}`);
  if (forbidden && !holds) out.line(terminal`A person has allowed starts again meanwhile.`);
  if (holds) out.line(terminal`Nothing starts on this machine before a person allows it again:`);
  for (const step of next) out.line(terminal`  next: ${step}`);
  out.document({ stopped: complete, starts_held: holds, workspaces, missions, remaining, problems, next });
  return complete ? exitCodes.ok : exitCodes.blocked;
}

/** Starts are allowed again; what was paused stays paused, and each paused mission says what goes on with it. */
export async function allowStartsAgain(call: Invocation): Promise<ExitCode> {
  const { out } = call;
  if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
  const reason = call.text('reason') ?? '';
  const allowed = await allowStarts({ by: actorOf(call).name, reason, at: new Date().toISOString() });
  if (!allowed.ok) return out.refuse(allowed.refusal);
  if (!allowed.value.startsWereHeld)
    return out.refuse({
      code: 'STARTS_NOT_HELD',
      reason: 'Nothing keeps missions from starting on this machine.',
      next: ['mission status'],
    });
  out.line(terminal`Starts are allowed again.`);
  const { unrecorded } = allowed.value;
  if (unrecorded !== null)
    out.line(terminal`The release is not on record, because its log takes nothing: ${unrecorded}.`);
  const { missions, unreadable } = await waitingMissions(call.file('.'));
  const places = [...missions, ...unreadable];
  const next = places.length > 0 ? places.flatMap((one) => one.next) : ['mission status'];
  const list = (head: TerminalText, all: readonly (typeof places)[number][]): void => {
    if (all.length > 0) out.line(head);
    for (const { workspace, mission_id, reason: why, next: steps } of all.slice(0, mostListed)) {
      out.line(terminal`  ${workspace}: ${mission_id === undefined ? '' : `${mission_id}: `}${why}`);
      for (const step of steps.slice(0, mostSteps)) out.line(terminal`    next: ${step}`);
    }
    if (all.some(({ next: steps }) => steps.length > mostSteps))
      out.line(terminal`  \`mission status\` has the other steps of each.`);
    lineOfMore(out, all);
  };
  list(terminal`Each of these missions waits until a person decides:`, missions);
  list(terminal`What waits here is not known, because it cannot be read:`, unreadable);
  if (places.length === 0) {
    out.line(terminal`No mission of this user waits for a person.`);
    out.line(terminal`  next: mission status`);
  }
  out.document({ released: true, unrecorded, missions, unreadable, next });
  return exitCodes.ok;
}

/** What is printed of missions, and of the steps of one; the document has all. */
const [mostListed, mostSteps] = [10, 2];

function lineOfMore(out: Output, all: readonly { readonly workspace: string }[]): void {
  const more = all.slice(mostListed).map(({ workspace }) => workspace);
  if (more.length > 0)
    out.line(
      terminal`  and ${more.length} more in ${fewNamed([...new Set(more)])}: \`mission status\` says there what waits`,
    );
}

const release = decisionStep('stop', '--release');
const notForbidden = 'Starts are not forbidden, so missions may start again.';
const notRecorded = 'The stop is not on record, so a process that is frozen now may go on when it wakes.';
const silentOwner =
  'The process that runs its missions does not answer. Its launches were stopped, and it does not know that yet.';

async function stopOne(call: Invocation, workspace: string, actor: Actor, reason: string): Promise<Stopped> {
  const nothing = { workspace, missions: [], remaining: [], silent: false, unreadable: [] };
  try {
    const viewer = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
    if (!viewer.ok) return { ...nothing, problem: viewer.refusal.reason };
    if (viewer.value === null) return { ...nothing, problem: null };
    const { journal, folder } = viewer.value;
    const own = decider({ ...call, workspace }, actor, reason);
    const launches = createLaunches(startsNothing);
    const why = `${actor.name}: ${reason}`;
    const time = {
      now: () => performance.now(),
      wait: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
    };
    try {
      const [{ missions, ...stopped }, drafts] = await Promise.all([
        stopWorkspace(
          {
            journal,
            launches,
            runDir: (missionId, runDir) => `${folder.missionDir(missionId)}/runs/${runDir}`,
            decide: own.decide,
          },
          why,
          time,
        ),
        stopDrafts(() => draftLaunches(folder.missionsDir), launches, why, time),
      ]);
      await own.release();
      // Evidence of the stop may remain unwritten, and then no process goes on with the mission.
      const shown = (await snapshotOf(viewer.value, workspace).catch(() => null))?.missions ?? [];
      const said = missions.map((one) => {
        const cut = shown.find(({ mission_id, interrupted }) => interrupted && mission_id === one.mission_id);
        return cut ? { ...one, reason: `${one.reason} ${cut.headline}` } : one;
      });
      const left = drafts.map(({ draft_id, pid }) => ({ mission_id: draft_id, task_id: draftTask, pid }));
      return { workspace, ...stopped, missions: said, remaining: [...stopped.remaining, ...left], problem: null };
    } finally {
      await own.release();
      await viewer.value.close();
    }
  } catch (error) {
    return { ...nothing, problem: errorWords(error) };
  }
}

const startsNothing = {
  supervisor: () => Promise.reject(new Error('A stop starts nothing.')),
  environment: {},
  sessionVariables: [],
} as const;

interface StopDecider {
  /** Null: an owner is there and does not answer. */
  readonly decide: (missionId: string, command: MissionCommand, withinMs: number) => Promise<CommandAnswer | null>;
  release(): Promise<void>;
}

const settleLimit = 2_000;
const attempts = 20;

/** Decides in one workspace: through its owner, or as the owner from then on. */
function decider(call: Invocation, actor: Actor, reason: string): StopDecider {
  let owned: Owned | null = null;
  return {
    async decide(mission_id, command, withinMs) {
      const id = randomUUID();
      const from_worker = false;
      const message = { id, mission_id, command: { ...command }, actor, reason, from_worker };
      const owner = otherOwner(call.workspace, message);
      // Owners may come and go meanwhile.
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        if (owned) return owned.host.command({ ...message, command, expected_seq: null });
        if (await owner.isThere()) {
          const answer = await owner.send(withinMs);
          if (typeof answer === 'object') return answer;
          if (answer !== 'gone') return null;
          continue;
        }
        const taken = await ownedBy(call, actor);
        if (taken.ok) owned = taken.value;
        else if (taken.refusal.code !== 'LEASE_HELD') return { accepted: false, ...taken.refusal };
      }
      return null;
    },
    async release() {
      const mine = owned;
      owned = null;
      if (!mine) return;
      // Only evidence of the stop remains. If writing it takes too long, the next owner finishes it.
      await Promise.race([mine.host.settled(), new Promise((resolve) => setTimeout(resolve, settleLimit).unref())]);
      await mine.host.release();
      await mine.node.close();
    },
  };
}

interface Waiting {
  readonly missions: readonly WaitingPlace[];
  /** Where it is not known whether a mission waits. */
  readonly unreadable: readonly WaitingPlace[];
}

interface WaitingPlace {
  readonly workspace: string;
  /** Absent: none of its missions can be read. */
  readonly mission_id?: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/**
 * Missions of this user, in every workspace, that wait for a person.
 *
 * @param here the folder in which the person types
 */
async function waitingMissions(here: string): Promise<Waiting> {
  const workspaces = await knownWorkspaces();
  const all = await Promise.all(
    workspaces.map((workspace) =>
      waitingIn(workspace, here).catch((error: unknown) => unreadableAt(workspace, here, errorWords(error))),
    ),
  );
  return {
    missions: all.flatMap(({ missions }) => missions),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}

async function waitingIn(workspace: string, here: string): Promise<Waiting> {
  const view = await looking(workspace, (viewer) => snapshotOf(viewer, workspace));
  if (!view.ok) return unreadableAt(workspace, here, view.refusal.reason);
  const { missions, unreadable } = view.value;
  return {
    missions: missions.flatMap((mission) => {
      const next = [...new Set(stepsOf(mission).map((step) => lineHere(step, workspace, here)))];
      return next.length === 0 ? [] : [{ workspace, mission_id: mission.mission_id, reason: mission.headline, next }];
    }),
    unreadable: unreadable.map(({ mission_id, reason }) => ({
      ...{ workspace, mission_id, reason },
      next: [typedHere('mission doctor', workspace, here)],
    })),
  };
}

function unreadableAt(workspace: string, here: string, reason: string): Waiting {
  return { missions: [], unreadable: [{ workspace, reason, next: [typedHere('mission doctor', workspace, here)] }] };
}

function lineHere(step: Step, workspace: string, here: string): string {
  return step.command === 'mend' ? stepLine(step) : typedHere(stepLine(step), workspace, here);
}

/** A command for another folder than the one in which the person types names it. */
function typedHere(command: string, workspace: string, here: string): string {
  return workspace === here ? command : `${command} --workspace ${shellWord(workspace)}`;
}

function stepsOf(mission: MissionView): readonly Step[] {
  const { mission_id, ending, offers } = mission;
  if (ending === null) return nextSteps(mission);
  // Nothing else runs in that folder before a person has seen the failure.
  return offeredSteps(mission_id, offers, 'acknowledge');
}
