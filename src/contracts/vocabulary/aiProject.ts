/** The file in the root of a workspace that says what the project is and what must not change. Source: seed 004. */
export const projectFile = 'ai.project.json';

export const projectTypes = ['web_app', 'backend', 'frontend', 'mobile_app', 'cli', 'tool', 'library'] as const;
export const projectStages = ['planning', 'active', 'maintenance', 'deprecated'] as const;
export const applicationStyles = ['modular_monolith', 'monolith', 'microservices'] as const;
export const apiStyles = ['rest', 'graphql', 'fastapi', 'rpc'] as const;
export const assumptionPolicies = ['no-assumptions', 'minimal-assumptions'] as const;

/** What a decision record (`docs/adr/ADR-*-<slug>.md`) may say below `## Status`. */
export const adrStatuses = ['Proposed', 'Accepted', 'Rejected'] as const;

/** Where decision records lie, relative to the folder of ai.project.json. */
export const adrFolder = 'docs/adr';

/** Files in the root that say what the project is made of. */
export const projectManifests = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'go.mod',
  'Cargo.toml',
  'composer.json',
] as const;
