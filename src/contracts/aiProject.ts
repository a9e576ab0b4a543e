import * as z from 'zod';
import { apiStyles, applicationStyles, assumptionPolicies, projectStages, projectTypes } from './vocabulary/aiProject';

const said = (description: string) => z.string().meta({ description });
const list = (description: string) => z.array(z.string()).meta({ description });
/** The contract names this field and does not say what it holds. */
const free = (description: string) => z.unknown().optional().meta({ description });
const locked = (slug: string) =>
  z.boolean().meta({ description: `True needs a decision record docs/adr/ADR-<number>-${slug}.md with a status.` });

/** ai.project.json. Source: seed 004. An empty text is a field that no person has filled in: core/project finds it. */
export const aiProjectSchema = z.looseObject({
  meta: z.looseObject({
    project_name: said('Name of the project.'),
    project_type: z.enum(projectTypes).meta({ description: 'What is built.' }),
    project_stage: z.enum(projectStages).meta({ description: 'Where the project stands.' }),
    last_updated: said('The day of the last change of this file, such as 2026-01-31.'),
    stability_target: said('How stable it has to be, such as experimental, beta, production.'),
    description: said('What it is, in a sentence.').optional(),
    owner: said('Who answers for it.').optional(),
  }),
  direction: z.looseObject({
    primary_goal: said('What the project is for.'),
    secondary_goals: list('Further goals.'),
    explicit_non_goals: list('What it shall not become.'),
    success_metrics: list('How success is recognised.'),
  }),
  architecture: z.looseObject({
    application_style: z.enum(applicationStyles).meta({ description: 'How the application is cut.' }),
    style_locked: locked('application-style'),
    monorepo: z.boolean().meta({ description: 'Whether the repository holds several packages.' }),
    architecture_locked: z
      .boolean()
      .meta({ description: 'Whether a task needs a decision to change the architecture.' }),
    module_system: said('How modules are cut, such as feature_based.'),
    module_rules: free('What modules may use of each other: cross_module_imports, shared_kernel_allowed.'),
    deployment_model: free('How it is deployed.'),
  }),
  runtime: z.looseObject({
    primary_language: said('The language that most of it is written in.'),
    secondary_languages: list('Further languages.'),
    execution_environment: list('Where it runs: browser, node, server.'),
  }),
  tooling: z.looseObject({
    languages: list('Languages whose tools are used.'),
    frameworks: list('Frameworks in use.'),
    ui: free('What the user interface is made of.'),
    state_management: free('How state is kept.'),
    api: z.looseObject({
      ownership: free('Who answers for the interface.'),
      versioning: free('How the interface is versioned.'),
      style: z.enum(apiStyles).meta({ description: 'How others talk to it.' }),
      locked: locked('api-style'),
    }),
    data: z.looseObject({
      database: free('Which database.'),
      migration_strategy: free('How data is migrated.'),
      storage_type: said('Where data is kept, such as sqlite, postgres, files, none.'),
      locked: locked('data-storage'),
    }),
  }),
  workflow: z.looseObject({
    allowed_operations: list('What tasks may do.'),
    requires_adr_for: list('What needs a decision record first.'),
  }),
  ai_constraints: z.looseObject({
    optimization_priorities: list('What counts most, in order.'),
    explicitly_forbidden_suggestions: list('What must not be suggested.'),
    assumption_policy: z.enum(assumptionPolicies).meta({ description: 'What to do about what is not said.' }),
  }),
});
