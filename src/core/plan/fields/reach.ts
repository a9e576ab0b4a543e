import type { PlanExecution } from '../../../contracts/plan';
import type { AgentNetwork, ConfinementMode } from '../../../contracts/vocabulary/confinement';
import { agentNames, type AgentName, type WorkerName } from '../../../contracts/vocabulary/workers';
import { agentWorkers } from '../../../workers/registry';
import { objectAt, quoted, textAt, textsAt } from '../../../base/json';
import { reservedFolderOf } from '../../paths/reserved';
import { deviceProblem, readNetworkService, serviceLines, servicesOf, type Services } from '../../paths/services';
import { pathProblems, pathsOf, readWrittenPath } from '../../paths/writtenPath';
import { dropEntry } from '../fixes/entries';
import { setsValue, type Mended, type PlanFix } from '../fixes/planFix';
import { waitsForPerson } from '../fixes/values';
import type { AddPlanFinding } from '../rules/judgedTask';
import type { Fields, Judged } from './field';
import { further, large, named, readsAll, usual, type Opened, type Right, type RightsFacts } from './right';

/** What a launch reaches beyond the approved paths. */
export interface Reach {
  /** The declared mode. */
  readonly confinement: ConfinementMode | null;
  /** Whether `command` and `verify` have a network where they are confined. */
  readonly network: boolean;
  /** What `command` and `verify` reach of the machine without a network. Absent: nothing. */
  readonly services?: Services;
  /** The declared network of agents. */
  readonly agent_network: AgentNetwork | null;
  /** Files whose instructions every agent is given; absent: none. */
  readonly project_instructions?: readonly string[];
  /** Git-ignored places that `command` and `verify` may write; what is there is never work. */
  readonly scratch: readonly string[];
  /** What a task writes reaches the workspace when it is verified; absent: at once. */
  readonly layers?: 'all';
  /** Such work reaches the workspace once a person accepted it, too; absent: as soon as it is verified. */
  readonly landing?: 'accepted';
}

export type Reaching = Reach & { readonly tasks: readonly { readonly worker: WorkerName }[] };

/** Each agent of a plan, with what it reads and reaches. */
export const agents: Opened<Pick<Reaching, 'tasks'>> = ({ tasks }, { networkOf, readsOf = readsAll }) =>
  agentsOf(tasks).map((agent) => usual(`The CLI ${agent} ${readsOf(agent)}.${networkOf(agent)}`));

export const reach = {
  confinement: {
    as: 'confinement',
    opens(_, { unconfined, no_sandbox }) {
      if (unconfined.length === 0 && !no_sandbox) return [];
      if (no_sandbox?.refuses) {
        const { why, next } = no_sandbox;
        return [{ ...large(`Nothing of it starts here, because it requires a sandbox. ${why}`), next }];
      }
      const text =
        unconfined.length > 0
          ? `Nothing confines ${unconfined.join(' and ')}, so they may read, write and reach all that this user may.`
          : 'Only their own CLIs hold the agents, because no sandbox is around the paths of each task.';
      const { why, next } = no_sandbox ?? { why: '', next: '' };
      return [{ ...large(why === '' ? text : `${text} ${why}`), ...(next !== '' && { next }) }];
    },
  },
  network: {
    as: 'network',
    opens: ({ network, services }, facts) => [
      ...(network
        ? [large(`Commands reach the whole network, also what listens on this machine, and ${readsAll()}.`)]
        : []),
      ...reached(services && { ...services, devices: [] }, facts),
    ],
    judge: judgeServices('network', (text, workspaceDir) => {
      const read = readNetworkService(text);
      if (read.kind === 'problem') return read.problem;
      return read.kind === 'socket' && isBelow(read.path, workspaceDir)
        ? 'lies in the workspace, where a task could put another one'
        : null;
    }),
  },
  devices: {
    as: 'services',
    named: 'execution.network and devices',
    opens: ({ services }, facts) => reached(services && { ...services, ports: [], sockets: [] }, facts),
    judge: judgeServices('devices', deviceProblem),
  },
  agent_network: { as: 'agent_network', opens: agents },
  project_instructions: {
    as: 'project_instructions',
    opens({ project_instructions: names = [], tasks }, { instructions }) {
      if (!instructions) return named({ ...usual('Agents follow the instructions of'), names });
      return instructions.length === 0
        ? [usual(`Agents follow no instructions of the project: none is given ${instructionFiles(agentsOf(tasks))}`)]
        : instructions.map(({ path, bytes, sha256 }) =>
            usual(`Agents follow the instructions of ${path} (${bytes} bytes, SHA-256 ${sha256}).`),
          );
    },
    judge: judgePathList('project_instructions', 'holds no instructions'),
  },
  scratch: {
    as: 'scratch',
    opens: ({ scratch: names }) =>
      named({ ...further('Commands may write scratch, which never counts as work:'), names }),
    judge: judgePathList('scratch', 'no task may write'),
  },
  layers: {
    as: 'layers',
    says: {
      in: 'confinement',
      lines: ({ layers, landing }) =>
        layers === 'all' && landing !== 'accepted'
          ? ['What a task writes reaches the workspace when it is verified, where a layer can take it until then.']
          : [],
    },
    narrows: true,
  },
  landing: {
    as: 'landing',
    says: {
      in: 'confinement',
      lines: ({ landing }) =>
        landing === 'accepted'
          ? ['What a task writes reaches the workspace after a person accepted it; without a layer it does not start.']
          : [],
    },
    judge: judgeLanding,
    narrows: true,
  },
} satisfies Partial<Fields<PlanExecution, Reaching>>;

export const reachFixes = {
  // Without them an agent would work by other rules than those that were meant.
  INSTRUCTIONS_MISSING: 'none',
  INSTRUCTIONS_UNUSABLE: 'none',
  SERVICE_INVALID: dropEntry,
  SCRATCH_NOT_IGNORED: dropEntry,
  SCRATCH_NOT_CHECKED: 'none',
  CONFINEMENT_TOO_COARSE: 'none',
  LANDING_IMPOSSIBLE({ plan }: Mended): readonly PlanFix[] {
    if (textAt(objectAt(plan, 'execution'), 'layers') !== 'all')
      return [setsValue('Hold the work in a layer ("layers": "all")', ['execution', 'layers'], 'all')];
    return textAt(objectAt(plan, 'execution'), 'on_block') === 'fail' ? [waitsForPerson] : [];
  },
} as const;

export function reachOf(execution: PlanExecution): Reach {
  const services = servicesOf(execution.network, execution.devices);
  const instructions = pathsOf(execution.project_instructions ?? []);
  return {
    confinement: execution.confinement ?? null,
    network: execution.network === true,
    ...(services && { services }),
    agent_network: execution.agent_network ?? null,
    ...(instructions.length > 0 && { project_instructions: instructions }),
    scratch: pathsOf(execution.scratch ?? []),
    ...(execution.layers === 'all' && { layers: 'all' }),
    ...(execution.landing === 'accepted' && { landing: 'accepted' }),
  };
}

/** Work that no layer holds is in the workspace before a person sees it. A block that fails asks no person. */
function judgeLanding({ execution, tasks }: Judged, report: AddPlanFinding): void {
  const is = (name: string): string | null => textAt(execution, name);
  if (is('landing') !== 'accepted') return;
  const [, made] = tasks.find(([task]) => textAt(task, 'intent') === 'generate_context') ?? [];
  const why =
    is('layers') !== 'all'
      ? 'needs "layers": "all", because only a layer holds work until then; set it'
      : is('confinement') === 'off'
        ? 'needs a sandbox, because only a sandbox has layers; leave out "confinement": "off"'
        : is('on_block') === 'fail'
          ? 'asks a person, and on_block "fail" ends the mission before the answer; set on_block to "recover"'
          : made === undefined
            ? null
            : `is not possible for the task at /tasks/${made}, because ai.project.json is made in the workspace at once; make it in a plan of its own`;
  if (why !== null) report('LANDING_IMPOSSIBLE', '/execution/landing', `"landing": "accepted" ${why}.`);
}

/** Ports, sockets or devices, by their names alone; the launch looks at the disk. */
function judgeServices(name: string, whyNot: (text: string, workspaceDir: string | null) => string | null) {
  return ({ execution, workspaceDir }: Judged, report: AddPlanFinding): void => {
    for (const [service, index] of textsAt(execution, name)) {
      const why = whyNot(service, workspaceDir);
      if (why !== null) report('SERVICE_INVALID', `/execution/${name}/${index}`, `${quoted(service)} ${why}.`);
    }
  };
}

/** A list of paths, by its text alone. `unfit`: what is wrong with a reserved folder, "which ...". */
function judgePathList(name: string, unfit: string) {
  return ({ execution }: Judged, report: AddPlanFinding): void => {
    for (const [text, index] of textsAt(execution, name)) {
      const pointer = `/execution/${name}/${index}`;
      const reading = readWrittenPath(text);
      if (!reading.ok) {
        report('PATH_INVALID', pointer, `${quoted(text)} ${pathProblems[reading.problem]}.`);
        continue;
      }
      const reserved = reservedFolderOf(reading.path);
      if (reserved !== null)
        report('PATH_RESERVED', pointer, `${quoted(text)} lies in ${reserved}, which ${unfit}; remove it.`);
    }
  };
}

function isBelow(path: string, folder: string | null): boolean {
  return folder !== null && `${path}/`.startsWith(`${folder.replace(/\/+$/, '')}/`);
}

function reached(services: Services | undefined | false, { refused_services: refused }: RightsFacts): readonly Right[] {
  const ending = refused === undefined ? '.' : ` (refused here: ${refused}).`;
  return services ? serviceLines(services).map((line) => large(`Commands reach ${line}${ending}`)) : [];
}

function agentsOf(tasks: Reaching['tasks']): readonly AgentName[] {
  return [...new Set(tasks.flatMap(({ worker }) => (worker === 'command' ? [] : [worker])))];
}

/** The files that instruct an agent, apart from one that an agent of the plan reads whatever the plan says. */
function instructionFiles(used: readonly AgentName[]): string {
  const all = agentNames.map((name) => agentWorkers[name]);
  const always = all.find(({ name, instructions }) => instructions.always && used.includes(name));
  const names = [...new Set(all.map(({ instructions }) => instructions.file))].toSorted();
  const [first = '', ...others] = names.filter((file) => file !== always?.instructions.file).toReversed();
  const files = others.length === 0 ? first : `${others.toReversed().join(', ')} or ${first}`;
  return always ? `${files}, and ${always.title} reads ${always.instructions.file} by itself.` : `${files}.`;
}
