import {
  apiStyles,
  applicationStyles,
  assumptionPolicies,
  projectStages,
  projectTypes,
} from '../../contracts/vocabulary/aiProject';

/** One field of ai.project.json: its dotted name, what it holds, and what a person is asked for. */
export interface ProjectField {
  readonly name: string;
  readonly holds: 'text' | 'flag' | 'list';
  readonly ask: string;
  /** What an empty field means: an error, a warning, or nothing where a list may stay empty. */
  readonly must: 'be_filled' | 'be_there' | 'should_be_filled' | 'nothing';
  readonly choices?: readonly string[];
  /** What a new file says where nothing was detected; absent: nothing, so that a person is asked. */
  readonly standard?: string | boolean;
}

/** In the order of the document. Source: seed 004. */
export const projectFields: readonly ProjectField[] = [
  filled('meta.project_name', 'name of the project'),
  filled('meta.project_type', 'what is built', projectTypes),
  filled('meta.project_stage', 'where the project stands', projectStages),
  filled('meta.last_updated', 'day of the last change of the file'),
  filled('meta.stability_target', 'how stable it has to be (experimental, beta, production)'),
  { name: 'meta.description', holds: 'text', ask: 'what it is, in a sentence', must: 'nothing' },
  { name: 'meta.owner', holds: 'text', ask: 'who answers for it', must: 'nothing' },
  filled('direction.primary_goal', 'what the project is for'),
  list('direction.secondary_goals', 'further goals'),
  list('direction.explicit_non_goals', 'what it shall not become'),
  list('direction.success_metrics', 'how success is recognised'),
  filled('architecture.application_style', 'how the application is cut', applicationStyles),
  flag('architecture.style_locked', 'whether that is locked by a decision record', false),
  flag('architecture.monorepo', 'whether the repository holds several packages', false),
  flag('architecture.architecture_locked', 'whether changing the architecture needs a decision', true),
  { ...filled('architecture.module_system', 'how modules are cut'), standard: 'feature_based' },
  filled('runtime.primary_language', 'the language that most of it is written in'),
  list('runtime.secondary_languages', 'further languages'),
  list('runtime.execution_environment', 'where it runs (browser, node, server)'),
  list('tooling.languages', 'languages whose tools are used'),
  list('tooling.frameworks', 'frameworks in use'),
  filled('tooling.api.style', 'how others talk to it', apiStyles),
  flag('tooling.api.locked', 'whether that is locked by a decision record', false),
  filled('tooling.data.storage_type', 'where data is kept (sqlite, postgres, files, none)'),
  flag('tooling.data.locked', 'whether that is locked by a decision record', false),
  { ...list('workflow.allowed_operations', 'what tasks may do'), must: 'should_be_filled' },
  { ...list('workflow.requires_adr_for', 'what needs a decision record first'), must: 'should_be_filled' },
  list('ai_constraints.optimization_priorities', 'what counts most, in order'),
  list('ai_constraints.explicitly_forbidden_suggestions', 'what must not be suggested'),
  {
    ...filled('ai_constraints.assumption_policy', 'what to do about what is not said', assumptionPolicies),
    standard: 'no-assumptions',
  },
];

/** A locked value has to be said, and a decision record of that slug has to exist. */
export const projectLocks = [
  { lock: 'architecture.style_locked', value: 'architecture.application_style', slug: 'application-style' },
  { lock: 'tooling.api.locked', value: 'tooling.api.style', slug: 'api-style' },
  { lock: 'tooling.data.locked', value: 'tooling.data.storage_type', slug: 'data-storage' },
] as const;

export function pointerOf(name: string): string {
  return `/${name.replaceAll('.', '/')}`;
}

function filled(name: string, ask: string, choices?: readonly string[]): ProjectField {
  return { name, holds: 'text', ask, must: 'be_filled', ...(choices && { choices }) };
}

function list(name: string, ask: string): ProjectField {
  return { name, holds: 'list', ask, must: 'be_there' };
}

function flag(name: string, ask: string, standard: boolean): ProjectField {
  return { name, holds: 'flag', ask, must: 'be_there', standard };
}
