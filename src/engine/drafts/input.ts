import { done, refused, type Outcome } from '../../base/outcome';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import type { ConfinementMode, AgentNetwork } from '../../contracts/vocabulary/confinement';
import { objectAt, parsedJson } from '../../base/json';
import { detectProject } from '../../core/project/detect';
import type { DraftPromptInput } from '../../workers/shared/draftPrompt';
import type { DraftPorts } from '../ports/drafts';

/** A goal in words, and who drafts a plan for it. */
export interface DraftRequest {
  readonly goal: string;
  /** The names that a person gives: absolute, or relative to the workspace. */
  readonly files: readonly string[];
  readonly worker: AgentName;
  /** Who performs tasks that name no worker. */
  readonly defaultWorker: AgentName | 'command';
  /** The person. */
  readonly planner: string;
  readonly confinement?: ConfinementMode;
  readonly agent_network?: AgentNetwork;
}

/** Characters of the goal; bytes of one file and of all; number of files. */
const draftLimits = { goal: 16_384, file: 65_536, all: 262_144, files: 20 } as const;

/** The folders of git, also of a nested repository, and of Mission Control. */
const ownFolders: ReadonlySet<string> = new Set(['.git', '.mission-control']);

/** The files that a person named, with their contents; refused where an agent cannot be given them. */
export async function filesOf(
  { goal, files }: Pick<DraftRequest, 'goal' | 'files'>,
  { paths, drafts }: Pick<DraftPorts, 'paths' | 'drafts'>,
): Promise<Outcome<DraftPromptInput['files']>> {
  if (goal.trim() === '') return invalid('The goal is empty.', 'Say in a sentence what is to be reached.');
  if (goal.length > draftLimits.goal)
    return invalid(
      `The goal has ${goal.length} characters; ${draftLimits.goal} are the most.`,
      'Say it in fewer words, and name the files that hold the rest.',
    );
  if (files.length > draftLimits.files)
    return invalid(
      `${files.length} files were named; ${draftLimits.files} are the most.`,
      'Name those that matter most: the agent can read the others in the workspace.',
    );
  const read: { path: string; text: string }[] = [];
  let all = 0;
  for (const file of files) {
    const path = paths.relative(file);
    if (path === null || path === '.' || path.split('/').some((part) => ownFolders.has(part.toLowerCase())))
      return invalid(`${file} is no file of this workspace.`, 'Name files below the workspace folder.');
    const given = await drafts.read(path, draftLimits.file);
    if (!given.ok)
      return invalid(
        `${path} cannot be given to an agent: ${given.reason}.`,
        'Leave it out and say in the goal where to look: the agent can read the workspace.',
      );
    all += given.bytes;
    if (all > draftLimits.all)
      return invalid(
        `The files have more than ${draftLimits.all} bytes together.`,
        'Name those that matter most: the agent can read the others in the workspace.',
      );
    read.push({ path, text: drafts.redact(given.text) });
  }
  return done(read);
}

export async function agentsHere({ workers }: Pick<DraftPorts, 'workers'>): Promise<readonly AgentName[]> {
  const found = await Promise.all(agentNames.map(async (name) => [name, await workers.isHere(name)] as const));
  return found.flatMap(([name, ok]) => (ok ? [name] : []));
}

export async function factsOfWorkspace({
  project,
  workspace,
  drafts,
  clock,
}: Pick<DraftPorts, 'project' | 'workspace' | 'drafts' | 'clock'>): Promise<string> {
  const around = await project.surroundings();
  const detected = detectProject({ ...around, today: clock.now() });
  const scripts = Object.keys(objectAt(parsedJson(around.texts['package.json'] ?? ''), 'scripts') ?? {});
  const ids = await drafts.planIds();
  return JSON.stringify(
    {
      folder: around.folder,
      root_entries: shortened(around.names, 100),
      languages: detected['tooling.languages'],
      frameworks: detected['tooling.frameworks'],
      npm_scripts: shortened(scripts, 40),
      git: (await workspace.head()) !== null,
      existing_plans: shortened(ids, 40),
    },
    null,
    2,
  );
}

function shortened(names: readonly string[], most: number): readonly string[] {
  return names.slice(0, most).map((name) => name.slice(0, 120));
}

function invalid(reason: string, next: string): Outcome<never> {
  return refused('DRAFT_INPUT_INVALID', reason, next);
}
