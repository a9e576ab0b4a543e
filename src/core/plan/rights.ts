import { recoveryWords } from '../../base/text/words';
import { afterLimit, resourceLimits, type OpeningField, type ResourceLimit } from '../../contracts/vocabulary/plan';
import { agentNames, type AgentName, type WorkerName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { caseSensitive, within } from '../paths/compare';
import { ranByOthers } from '../paths/ranByOthers';
import { serviceLines, type Services } from '../paths/services';
import type { ApprovedPlan } from './approvedPlan';
import type { NamedFile } from './namedFiles';
import { readingWords } from './reading';

/** One thing that a plan opens to what it runs, for a person who approves it or reads a draft. */
export interface Right {
  /** A sentence, or the beginning of a list of `names`. */
  readonly text: string;
  readonly names?: readonly string[];
  /** What a person can do against it. */
  readonly next?: string;
  /** `large`: it leads beyond the approved paths. These stand first. */
  readonly weight: 'large' | 'usual';
}

/** What the machine adds to a plan. */
export interface RightsFacts {
  /** What nothing confines, such as `the worker command`. */
  readonly unconfined: readonly string[];
  /** Why there is no sandbox for the plan; absent: there is one. */
  readonly no_sandbox?: { readonly why: string; readonly next: string };
  /** Says which network an agent has, as a sentence with a blank in front. */
  readonly networkOf: (agent: AgentName) => string;
  /** Says what a worker may read, as the end of a sentence. Absent: all that this user may read. */
  readonly readsOf?: (worker: WorkerName) => string;
  /** Why this machine opens no single service of the plan; absent: it opens them. */
  readonly refused_services?: string;
  /** The files that commands name; absent: not looked for. */
  readonly named_files?: readonly NamedFile[];
  /** The files of instructions, as the disk has them; absent: as the plan names them. */
  readonly instructions?: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** All that a plan opens, the largest first. Each opening field of the schema has its entry in `openedBy`. */
export function rights(plan: ApprovedPlan, facts: RightsFacts): readonly Right[] {
  const all = Object.values(openedBy).flatMap((opened) => opened(plan, facts));
  // Several fields open the same, such as the commands of a task and of a milestone.
  const once = all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index);
  return [...once.filter(({ weight }) => weight === 'large'), ...once.filter(({ weight }) => weight === 'usual')];
}

/** The same for a draft, whose machine is not looked at. */
export function rightsAskedFor(plan: ApprovedPlan): readonly Right[] {
  const network =
    plan.agent_network === 'provider' ? ' Its network: only hosts of its provider.' : ' Its network is open.';
  const hasCommands = plan.tasks.some(({ command, verify }) => command.length + verify.length > 0);
  const isOff = plan.confinement === 'off';
  return rights(plan, {
    unconfined: isOff && hasCommands ? ['the commands'] : [],
    ...(isOff && { no_sandbox: { why: 'The plan turns confinement off.', next: '' } }),
    networkOf: () => network,
  });
}

type Opened = (plan: ApprovedPlan, facts: RightsFacts) => readonly Right[];

const readsAll = (): string => readingWords('all');

const agents: Opened = ({ tasks }, { networkOf, readsOf = readsAll }) =>
  [...new Set(tasks.flatMap(({ worker }) => (worker === 'command' ? [] : [worker])))].map((agent) =>
    usual(`The CLI ${agent} ${readsOf(agent)}.${networkOf(agent)}`),
  );

const commands: Opened = ({ tasks, network }, { named_files = [], readsOf = readsAll }) => {
  const lines = tasks.reduce((sum, { command, verify }) => sum + (command.length > 0 ? 1 : 0) + verify.length, 0);
  if (lines === 0) return [];
  const scripts = named_files.map((file) => unbound(file, tasks));
  // The line of the whole network says already what they may read.
  const rest = network ? 'and each below, use it' : `and each below, ${readsOf('command')}`;
  return [usual(`Commands, ${lines} in all ${rest}.`), ...scripts];
};

/** A script runs as it is then, because the approval binds the bytes of the plan alone. */
function unbound({ path, read }: NamedFile, tasks: ApprovedPlan['tasks']): Right {
  const is = read ? ` (${read.bytes} bytes, SHA-256 ${read.sha256})` : '';
  const written = tasks.some(({ paths }) => within(path, paths, caseSensitive)) ? ', and tasks may write it' : '';
  return usual(`Commands name ${path}${is}, which the approval does not bind${written}.`);
}

const limits: Opened = (plan) => {
  const words: { readonly [L in ResourceLimit]: (most: number) => string } = {
    processes: (most) => `${most} process${most === 1 ? '' : 'es'} at once (counted about once a second)`,
    memory_mb: (most) => `${most} MB of memory (measured about once a second where no control group holds it)`,
    file_mb: (most) => `files of ${most} MB`,
  };
  const other = (Object.keys(words) as ResourceLimit[]).flatMap((limit) => {
    const most = plan.limits[limit];
    return most === resourceLimits[limit].default ? [] : [words[limit](most)];
  });
  return other.length === 0 ? [] : [usual(`Each launch takes at most ${other.join(', ')}.`)];
};

/** In the order in which a person reads them. */
const openedBy: { readonly [F in OpeningField]: Opened } = {
  'execution.confinement': (_, { unconfined, no_sandbox }) => {
    if (unconfined.length === 0 && !no_sandbox) return [];
    const text =
      unconfined.length > 0
        ? `Nothing confines ${unconfined.join(' and ')}, so they may read, write and reach all that this user may.`
        : 'Only their own CLIs hold the agents, because no sandbox is around the paths of each task.';
    const { why, next } = no_sandbox ?? { why: '', next: '' };
    return [{ ...large(why === '' ? text : `${text} ${why}`), ...(next !== '' && { next }) }];
  },
  'execution.network': ({ network, services }, facts) => [
    ...(network ? [large(`Commands reach the whole network, and ${readsAll()}.`)] : []),
    ...reached(services && { ...services, devices: [] }, facts),
  ],
  'execution.devices': ({ services }, facts) => reached(services && { ...services, ports: [], sockets: [] }, facts),
  'recovery.directories': ({ recovery_directories: names }) =>
    named({ ...large('Agents may be given folders outside the workspace:'), names }),
  'execution.agent_network': agents,
  'task.worker': agents,
  'milestoneValidate.worker': agents,
  'execution.project_instructions': ({ project_instructions: names = [], tasks }, { instructions }) => {
    if (!instructions) return named({ ...usual('Agents follow the instructions of'), names });
    const none = instructionFiles(tasks.map(({ worker }) => worker));
    return instructions.length === 0
      ? [usual(`Agents follow no instructions of the project: none is given ${none}`)]
      : instructions.map(({ path, bytes, sha256 }) =>
          usual(`Agents follow the instructions of ${path} (${bytes} bytes, SHA-256 ${sha256}).`),
        );
  },
  'task.command': commands,
  'task.verify': commands,
  'milestoneValidate.verify': commands,
  'task.paths': ({ tasks }) => {
    const names = [...new Set(tasks.flatMap(({ paths }) => paths))].sort();
    return [...ranLater(names), ...named({ ...usual('Tasks may write'), names })];
  },
  'execution.scratch': ({ scratch: names }) =>
    named({ ...usual('Commands may write scratch, which never counts as work:'), names }),
  'execution.env': ({ env_names: names }) => named({ ...usual('Commands see the environment variables'), names }),
  'recovery.allow': ({ recovery_allow }) =>
    recovery_allow.length === 0
      ? []
      : [
          usual(
            `May be corrected without asking: ${recovery_allow.map((permission) => recoveryWords[permission].short).join(', ')}.`,
          ),
        ],
  'recovery.after_limit': ({ after_limit }) =>
    after_limit === 'resume'
      ? [
          usual(
            `After a used-up limit of a provider a task goes on by itself when the limit ends, at most ${afterLimit.times} times, where that is within ${afterLimit.longest_hours} hours.`,
          ),
        ]
      : [],
  'limits.processes': limits,
  'limits.memory_mb': limits,
  'limits.file_mb': limits,
};

/** A line for each program that runs what tasks write to approved paths. */
function ranLater(paths: readonly string[]): readonly Right[] {
  const found = paths.flatMap((path) => {
    const runner = ranByOthers(path);
    return runner ? [{ ...runner, path }] : [];
  });
  return [...new Set(found.map(({ who }) => who))].map((who) => {
    const its = found.filter((one) => one.who === who);
    const says = its.some(({ alone }) => alone)
      ? large(`Outside the sandbox ${who} runs by itself what tasks write to`)
      : usual(`Outside the sandbox ${who} runs what tasks write to`);
    return { ...says, names: its.map(({ path }) => path) };
  });
}

function reached(services: Services | undefined | false, { refused_services: refused }: RightsFacts): readonly Right[] {
  const ending = refused === undefined ? '.' : ` (refused here: ${refused}).`;
  return services ? serviceLines(services).map((line) => large(`Commands reach ${line}${ending}`)) : [];
}

function named(right: Right): readonly Right[] {
  return right.names?.length === 0 ? [] : [right];
}

function large(text: string): Right {
  return { text, weight: 'large' };
}

function usual(text: string): Right {
  return { text, weight: 'usual' };
}

/** The files that instruct an agent, apart from one that an agent of the plan reads whatever the plan says. */
function instructionFiles(workers: readonly WorkerName[]): string {
  const agents = agentNames.map((name) => agentWorkers[name]);
  const always = agents.find(({ name, instructions }) => instructions.always && workers.includes(name));
  const all = [...new Set(agents.map(({ instructions }) => instructions.file))].toSorted();
  const [first = '', ...others] = all.filter((file) => file !== always?.instructions.file).toReversed();
  const files = others.length === 0 ? first : `${others.toReversed().join(', ')} or ${first}`;
  return always ? `${files}, and ${always.title} reads ${always.instructions.file} by itself.` : `${files}.`;
}
