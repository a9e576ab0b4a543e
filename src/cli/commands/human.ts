import type { MissionControlView } from '../../contracts/missionView';
import type { MissionCommand } from '../../contracts/missionCommand';
import { openDependants } from '../../base/dependants';
import { terminal } from '../../base/text/terminal';
import { required } from '../shell/arguments';
import { NoTerminalError, UsageError, type CommandSpec, type Invocation, type OptionSpec } from '../shell/command';
import { exitCodes, exitOfRefusal, type ExitCode } from '../shell/exitCodes';
import { findMission, findTask, type Found } from '../show/find';
import { humanCommand, type HumanCommand } from '../owner/decide';
import { openViewer, snapshotOf, workerOptions } from '../owner/session';
import { allowStartsAgain, stopEverything } from './stopAll';

export const decisionOptions = {
  by: { value: 'NAME', help: 'Who decides.' },
  reason: { value: 'TEXT', help: 'Why; stands in the evidence.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const decisionNeeds = ['by', 'reason'] as const;

const taskOptions = {
  ...decisionOptions,
  mission: { value: 'MISSION', help: 'The mission, when TASK stands alone and several open missions have it.' },
  task: { value: 'TASK', help: 'The task, when MISSION stands alone.' },
} as const;
const taskForms = [
  'Forms: MISSION TASK, or TASK --mission MISSION, or MISSION --task TASK, or TASK alone when only one open mission has it,',
  'or MISSION alone when only one of its tasks fits. MISSION may be a plan id: its newest mission.',
];
const whoOwns = 'A process that runs the missions decides it at once; without one, this command takes them over';

export const pause = verb(
  'pause',
  'Pause a mission after its current attempt.',
  `${whoOwns} only to record it.`,
  { type: 'PauseMission' },
  'record',
);
export const resume = verb(
  'resume',
  'Continue a paused or interrupted mission.',
  `${whoOwns} and runs the mission in the foreground.`,
  { type: 'ResumeMission' },
  'run',
);
export const cancel = verb(
  'cancel',
  'Cancel a mission: stop its worker, skip open tasks, write the evidence.',
  `${whoOwns} until that is done.`,
  { type: 'CancelMission' },
  'finish',
);
export const acknowledge = verb(
  'acknowledge',
  'Record that a failure or block was seen.',
  `${whoOwns} only to record it.`,
  { type: 'Acknowledge' },
  'record',
);

const stopTask = taskVerb(
  'stop',
  'Stop the running worker of a task with its whole process tree.',
  'StopTask',
  'finish',
);
/** One worker, or everything of this user on this machine. */
export const stop: CommandSpec = {
  ...stopTask,
  usage: '[MISSION] TASK | --all | --release',
  takes: [[], 2],
  details: [
    ...taskForms,
    '--all stops everything of this user on this machine, in every workspace: missions are paused, what runs is stopped and',
    'proven gone within ten seconds, or named (exit 3), and nothing starts before --release. What was paused stays paused.',
  ],
  options: {
    ...stopTask.options,
    all: { help: 'Everything of this user on this machine, in every workspace.' },
    release: { help: 'Allow starts again after --all.' },
  },
  anywhere: (call) => call.flag('all') || call.flag('release'),
  run(call) {
    const [all, release] = [call.flag('all'), call.flag('release')];
    if (!all && !release) {
      if (call.positionals.length === 0)
        throw new UsageError('Say which TASK is stopped, or --all, or --release.', ['mission status']);
      return stopTask.run(call);
    }
    if (call.positionals.length > 0 || (all && release) || call.text('task') !== null || call.text('mission') !== null)
      throw new UsageError('--all and --release stand alone: they are about every workspace.');
    return all ? stopEverything(call) : allowStartsAgain(call);
  },
};
export const retry = taskVerb('retry', 'Try a blocked task again (outcome retry-repair).', 'RetryTask', 'run');
export const rerunValidation = taskVerb(
  'rerun-validation',
  'Judge once more what the last attempt of a blocked task left: observe, verify. Its worker is not launched.',
  'RerunValidation',
  'run',
);

export const intervene = taskVerb(
  'intervene',
  'Say that a result is complete which waited for a person (INTERVENTION_REQUIRED): it is verified once more.',
  'CompleteIntervention',
  'run',
);

/** Changes are named one by one, or by a folder around them: those that are not named still block. */
export const accept: CommandSpec = {
  name: 'accept',
  usage: 'MISSION TASK PATH...',
  takes: [[required.mission, required.task, required.change], 10_000],
  ids: 2,
  summary: 'Accept changes that block a task: they may stay as they are.',
  details: [
    'PATH is a name on the list of TASK, as `mission status` and its packet give it. A folder with a slash at its end, such',
    'as `src/`, stands for all that is listed below it, and `./` for all but `.git/`. `attempt:N` stands for the changes of',
    'an attempt that could not be read. MISSION is a mission id, or a plan id (its newest mission).',
    `${whoOwns} only to record it. The task goes on with \`mission retry\` or \`mission rerun-validation\`.`,
  ],
  options: { ...decisionOptions, ...workerOptions },
  needs: decisionNeeds,
  store: true,
  async run(call) {
    const view = await readSnapshot(call);
    if (!view.ok) return call.out.refuse(view.refusal, exitOfRefusal(view.refusal.code));
    const [wanted = '', task = '', ...names] = call.positionals;
    const found = findTask(view.value, [wanted, task], { mission: null, task: null }, 'AcceptChanges', 'accept');
    if (!found.ok) return call.out.refuse(found.refusal);
    const { mission, task_id } = found.value;
    return humanCommand(call, {
      mission_id: mission.mission_id,
      command: { type: 'AcceptChanges', task_id, names },
      then: 'record',
    });
  },
};

/** Skips a task with all that depend on it; shows them to the person before asking. */
export const skip: CommandSpec = {
  name: 'skip',
  usage: '[MISSION] TASK',
  takes: [[required.task], 2],
  ids: 2,
  summary: 'Skip an open task and all that depend on it; the mission completes without them.',
  details: [
    ...taskForms,
    'Stop a task in progress before you skip it. Says which tasks go with it and asks; a skipped task is never run again.',
  ],
  options: { ...taskOptions, yes: { help: 'Do not ask.' }, ...workerOptions },
  needs: decisionNeeds,
  store: true,
  async run(call) {
    const { out } = call;
    const view = await readSnapshot(call);
    if (!view.ok) return out.refuse(view.refusal, exitOfRefusal(view.refusal.code));
    const named = { mission: call.text('mission'), task: call.text('task') };
    const found = findTask(view.value, call.positionals, named, 'SkipTask', 'skip');
    if (!found.ok) return out.refuse(found.refusal);
    const { mission, task_id } = found.value;
    const dependants = openDependants(mission.tasks, task_id);
    if (mission.offers.SkipTask.includes(task_id)) {
      out.line(terminal`To be skipped: ${task_id}${dependants.length === 0 ? '; no open task depends on it' : ''}`);
      for (const { task_id: id, description } of mission.tasks)
        if (dependants.includes(id)) out.line(terminal`  with it: ${id} ${description}`);
      if (!call.flag('yes')) {
        if (!out.interactive) throw new NoTerminalError();
        const all = 1 + dependants.length;
        if (!(await out.ask(terminal`Skip ${all === 1 ? `task ${task_id}` : `these ${all} tasks`}?`)))
          return out.refuse(
            {
              code: 'NOT_APPROVED',
              reason: 'You said no: nothing was skipped.',
              next: [`mission status ${mission.mission_id}`],
            },
            exitCodes.refused,
          );
      }
    }
    const command = { type: 'SkipTask', task_id, dependants } as const;
    return humanCommand(call, { mission_id: mission.mission_id, command, then: 'run' });
  },
};

/** The snapshot that names on the command line refer to. */
export async function readSnapshot(call: Invocation): Promise<Found<MissionControlView>> {
  const viewer = await openViewer(call);
  if (!viewer.ok) return viewer;
  try {
    return { ok: true, value: await snapshotOf(viewer.value, call.workspace) };
  } finally {
    await viewer.value?.close();
  }
}

function verb(
  name: string,
  summary: string,
  detail: string,
  command: MissionCommand,
  then: HumanCommand['then'],
): CommandSpec {
  return {
    name,
    usage: 'MISSION',
    takes: [[required.mission], 1],
    ids: 1,
    summary,
    details: ['MISSION is a mission id, or a plan id (its newest mission).', detail],
    options: { ...decisionOptions, ...workerOptions },
    needs: decisionNeeds,
    store: true,
    async run(call) {
      const view = await readSnapshot(call);
      if (!view.ok) return call.out.refuse(view.refusal);
      const mission = findMission(view.value, call.positionals[0] ?? '');
      if (!mission.ok) return call.out.refuse(mission.refusal);
      return humanCommand(call, { mission_id: mission.value.mission_id, command, then });
    },
  };
}

type TaskVerb = 'StopTask' | 'RetryTask' | 'RerunValidation' | 'CompleteIntervention';

function taskVerb(name: string, summary: string, type: TaskVerb, then: HumanCommand['then']): CommandSpec {
  return {
    name,
    usage: '[MISSION] TASK',
    takes: [[required.task], 2],
    ids: 2,
    summary,
    details: taskForms,
    options: { ...taskOptions, ...workerOptions },
    needs: decisionNeeds,
    store: true,
    run: (call) => onTask(call, name, type, then),
  };
}

async function onTask(call: Invocation, verb: string, type: TaskVerb, then: HumanCommand['then']): Promise<ExitCode> {
  const view = await readSnapshot(call);
  if (!view.ok) return call.out.refuse(view.refusal, exitOfRefusal(view.refusal.code));
  const found = findTask(
    view.value,
    call.positionals,
    { mission: call.text('mission'), task: call.text('task') },
    type,
    verb,
  );
  if (!found.ok) return call.out.refuse(found.refusal);
  return humanCommand(call, {
    mission_id: found.value.mission.mission_id,
    command: { type, task_id: found.value.task_id },
    then,
  });
}
