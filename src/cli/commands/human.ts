import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import type { MissionCommand, TaskCommandName } from '../../contracts/commands/missionCommand';
import { commandEntries, fileCommands, type CommandType, type PlainEntry } from '../../contracts/vocabulary/commands';
import path from 'node:path';
import { grantedFolder } from '../../adapters/files/grantedFolder';
import { done, refused, type Outcome } from '../../base/outcome';
import { openDependants } from '../../base/dependants';
import { terminal } from '../../base/text/marked/terminal';
import {
  optional,
  required,
  several,
  UsageError,
  type Command,
  type Invocation,
  type OptionSpec,
} from '../shell/command';
import type { ExitCode, Refused } from '../shell/output';
import { filesHere, findMission, findMissionHere, findTask, type FoundTask } from '../show/find';
import { humanCommand, type HumanCommand } from '../owner/decide';
import { looking, snapshotOf, withWayBack, workerOptions } from '../owner/session';
import { allowStartsAgain, stopEverything } from './stopAll';

export const decisionOptions = {
  by: { value: 'NAME', help: 'Who decides.' },
  reason: { value: 'TEXT', help: 'Why; stands in the evidence.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const decisionNeeds = ['by', 'reason'] as const;

export const taskOptions = {
  ...decisionOptions,
  mission: { value: 'MISSION', help: 'The mission, when TASK stands alone and several open missions have it.' },
  task: { value: 'TASK', help: 'The task, when MISSION stands alone.' },
} as const;
export const taskForms = [
  'Forms: MISSION TASK, or TASK --mission MISSION, or MISSION --task TASK, or TASK alone when only one open mission has it,',
  'or MISSION alone when only one of its tasks fits. MISSION may be a plan id: its newest mission.',
];
const whoOwns = 'A process that runs the missions decides it at once; without one, this command takes them over';
const stays = {
  record: 'only to record it',
  run: 'and runs the mission in the foreground',
  finish: 'until that is done',
} as const;

/** The commands that take a mission, or a task, and nothing else. */
const plain = new Map(
  commandEntries.flatMap(([type, entry]) =>
    entry.plain ? [[entry.line, commandOf(type, entry.plain, entry.about === 'task')] as const] : [],
  ),
);

function commandOf(type: CommandType, { summary, then }: PlainEntry, isOfTask: boolean): Command {
  const shared = { summary, needs: decisionNeeds } as const;
  if (isOfTask)
    return {
      ...{ ...shared, takes: [optional.mission, required.task], details: taskForms },
      options: { ...taskOptions, ...workerOptions },
      run: (call) =>
        decideAbout(call, taskOf(call, type as TaskCommandName), ({ mission: { mission_id }, task_id }) => ({
          ...{ mission_id, command: { type, task_id } as MissionCommand, then },
        })),
    };
  return {
    ...{ ...shared, takes: [required.mission] },
    details: ['MISSION is a mission id, or a plan id (its newest mission).', `${whoOwns} ${stays[then]}.`],
    options: { ...decisionOptions, ...workerOptions },
    run: (call) =>
      decideAbout(call, missionOf(call), ({ mission_id }) => ({
        ...{ mission_id, command: { type } as MissionCommand, then },
      })),
  };
}

export function plainCommand(line: string): Command {
  const found = plain.get(line);
  if (!found) throw new Error(`Broken invariant: ${line} is not plain.`);
  return found;
}

const stopTask = plainCommand('stop');
export const stop: Command = {
  ...stopTask,
  usage: '[MISSION] TASK | --all | --release',
  takes: [optional.mission, optional.task],
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
/** Changes are named one by one, or by a folder around them: those that are not named still block. */
export const accept: Command = {
  takes: [required.mission, required.task, several(required.change, 9998)],
  summary: 'Accept changes that block a task: they may stay as they are.',
  details: [
    'PATH is a name on the list of TASK, as `mission status` and its packet give it. A folder with a slash at its end, such',
    'as `src/`, stands for all that is listed below it, and `./` for all but `.git/`. `attempt:N` stands for the changes of',
    'an attempt that could not be read. MISSION is a mission id, or a plan id (its newest mission).',
    `${whoOwns} only to record it. The task goes on with \`mission retry\` or \`mission rerun-validation\`.`,
  ],
  options: { ...decisionOptions, ...workerOptions },
  needs: decisionNeeds,
  run(call) {
    const [mission = '', task = '', ...names] = call.positionals;
    return decideAbout(
      call,
      (view) => findTask(view, [mission, task], { mission: null, task: null }, 'AcceptChanges'),
      ({ mission: { mission_id }, task_id }) => ({
        ...{ mission_id, command: { type: 'AcceptChanges', task_id, names }, then: 'record' },
      }),
    );
  },
};

/** Skips a task with all that depend on it; shows them to the person before asking. */
export const skip: Command = {
  takes: [optional.mission, required.task],
  summary: 'Skip an open task and all that depend on it; the mission completes without them.',
  details: [
    ...taskForms,
    'Stop a task in progress before you skip it. Says which tasks go with it, and asks on a terminal; a skipped task is never run again.',
  ],
  options: { ...taskOptions, yes: { help: 'Do not ask.' }, ...workerOptions },
  needs: decisionNeeds,
  run: (call) =>
    decideAbout(call, taskOf(call, 'SkipTask'), async ({ mission, task_id }) => {
      const { out } = call;
      const dependants = openDependants(mission.tasks, task_id);
      if (mission.offers.SkipTask.includes(task_id)) {
        out.line(terminal`To be skipped: ${task_id}${dependants.length === 0 ? '; no open task depends on it' : ''}`);
        for (const { task_id: id, description } of mission.tasks)
          if (dependants.includes(id)) out.line(terminal`  with it: ${id} ${description}`);
        // Elsewhere name and reason are the decision, so that the line of a packet does what it says.
        if (out.interactive && !call.flag('yes')) {
          const all = 1 + dependants.length;
          if (!(await out.ask(terminal`Skip ${all === 1 ? `task ${task_id}` : `these ${all} tasks`}?`)))
            return out.refuse(saidNo('nothing was skipped', mission.mission_id));
        }
      }
      const command = { type: 'SkipTask', task_id, dependants } as const;
      return { mission_id: mission.mission_id, command, then: 'run' };
    }),
};

export function saidNo(what: string, missionId: string): Refused {
  return { code: 'NOT_APPROVED', reason: `You said no: ${what}.`, next: [`mission status ${missionId}`] };
}

/** Decides about what `find` reads from the line. Prints why there is no such thing, or ends with the exit code. */
export async function decideAbout<T>(
  call: Invocation,
  find: (view: MissionControlView) => Outcome<T>,
  wanted: (found: T) => HumanCommand | ExitCode | Promise<HumanCommand | ExitCode>,
): Promise<ExitCode> {
  const view = await readSnapshot(call);
  const found = view.ok ? find(view.value) : view;
  if (!found.ok) return call.out.refuse(await withWayBack(found.refusal, call));
  const command = await wanted(found.value);
  return typeof command === 'number' ? command : humanCommand(call, command);
}

export function missionOf({
  positionals: [wanted = ''],
}: Invocation): (view: MissionControlView) => Outcome<MissionView> {
  return (view) => findMission(view, wanted);
}

export function taskOf(call: Invocation, type: TaskCommandName): (view: MissionControlView) => Outcome<FoundTask> {
  const named = { mission: call.text('mission'), task: call.text('task') };
  return (view) => {
    const found = findTask(view, call.positionals, named, type);
    const here = found.ok && fileCommands.has(type) ? filesHere(found.value.mission) : found;
    return here.ok ? found : here;
  };
}

export function readSnapshot({ workspace }: Invocation): Promise<Outcome<MissionControlView>> {
  return looking(workspace, (viewer) => snapshotOf(viewer, workspace));
}

export const answer: Command = {
  usage: 'MISSION [--task TASK | --packet ID] (--choice ID | [--text TEXT] [--comment FILE:LINE:TEXT]...)',
  takes: [required.mission],
  summary: 'Answer what a blocked task asks (ASK_USER); an agent then tries it again with the answer.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission). Without --task and --packet: its only question. A choice is',
    'one of those that `mission status` shows; some say what happens with the task. Words may always answer in their place.',
    'Comments belong to lines of files that its attempt changed, as `mission diff` shows them. Waiting work is accepted with',
    '--packet alone, because that says which work.',
    'A choice that says nothing else tries the task again, a no as well. For a command the answer is only recorded.',
    'A process that runs the missions decides it at once; without one, this command takes them over and goes on.',
  ],
  options: {
    task: { value: 'TASK', help: 'The task that asks.' },
    packet: { value: 'ID', help: 'The recovery packet that asks.' },
    choice: { value: 'ID', help: 'One of the choices of the question, by its id or its exact text.' },
    text: { value: 'TEXT', help: 'The answer in words.' },
    comment: {
      value: 'FILE:LINE:TEXT',
      multiple: true,
      help: 'What the answer says to a line of a changed file.',
    },
    ...decisionOptions,
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const choice = call.text('choice');
    const text = call.text('text');
    const comments = call.texts('comment').map(lineComment);
    if ((choice === null) === (text === null && comments.length === 0))
      throw new UsageError('Give either --choice ID or --text TEXT.', [`mission status ${call.positionals[0] ?? ''}`]);
    const task_id = call.text('task');
    const packet_id = call.text('packet');
    if (task_id !== null && packet_id !== null) throw new UsageError('Give either --task TASK or --packet ID.');
    const command = { type: 'AnswerQuestion', task_id, packet_id, asked: null, choice, text, comments } as const;
    return decideAbout(call, missionOf(call), ({ mission_id }) => ({ mission_id, command, then: 'run' }));
  },
};

/** The number of the line divides the two, because a name may hold a colon, too. */
function lineComment(written: string): {
  readonly path: string;
  readonly line: number;
  readonly text: string;
} {
  const [, file = '', line = '', text = ''] = /^(.+?):([1-9]\d{0,6}):(.*)$/s.exec(written) ?? [];
  if (text.trim() === '') throw new UsageError(`--comment takes FILE:LINE:TEXT, not ${JSON.stringify(written)}.`);
  return { path: file, line: Number(line), text };
}

export const grant: Command = {
  takes: [{ ...optional.mission, isId: false }, required.directory],
  summary: 'Grant one attempt of a blocked task the place that its worker was denied, and resume.',
  details: [
    'DIR is the directory or the file that is granted, to read if only reading was denied. A file that is not there yet is',
    'granted by its folder. What concerns the workspace itself (trust it, skip the Git check) is granted by naming the',
    'workspace folder. MISSION is a mission id, or a plan id (its newest mission); without it: the only open mission that',
    'waits for a permission. Another attempt does not have the grant.',
  ],
  options: {
    ...decisionOptions,
    task: { value: 'TASK', help: 'The task, when several wait for a permission.' },
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const [first = '', second] = call.positionals;
    const find = (view: MissionControlView): Outcome<MissionView> =>
      second === undefined ? onlyWaiting(view) : findMissionHere(view, first);
    return decideAbout(call, find, async (mission) => {
      const { mission_id } = mission;
      const named = call.file(second ?? first);
      const found = await grantedFolder({ mission_id, named, denied: deniedPlace(mission, call) });
      if (!found.ok) return call.out.refuse(found.refusal);
      const command = { type: 'GrantDirectory', task_id: call.text('task'), ...found.value } as const;
      return { mission_id, command, then: 'run' };
    });
  },
};

/** Null: several tasks wait and none is named, or what was denied has no path outside. */
function deniedPlace({ blocks }: MissionView, call: Invocation): string | null {
  const task = call.text('task');
  const waiting = blocks.filter(({ denied, task_id }) => denied && (task === null || task_id === task));
  const denied = waiting.length === 1 ? (waiting[0]?.denied?.path ?? null) : null;
  return denied === null ? null : path.resolve(call.workspace, denied);
}

function onlyWaiting({ missions }: MissionControlView): Outcome<MissionView> {
  const waiting = missions.filter(({ offers }) => offers.GrantDirectory.length > 0);
  const [only] = waiting;
  if (only && waiting.length === 1) return done(only);
  if (!only) return refused('MISSION_UNKNOWN', 'No mission waits for a permission.', 'mission list');
  const next = waiting.map(({ mission_id }) => `mission status ${mission_id}`);
  return refused('MISSION_UNKNOWN', 'Several missions wait for a permission; say which.', ...next);
}
