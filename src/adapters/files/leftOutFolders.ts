/**
 * Folders whose ignored content is not compared: what package managers and compilers rewrite in masses, and
 * what any worker may rebuild. Decisions.md section 9. Tracked files, files that git would add, task paths and
 * forbidden paths inside them are compared all the same, and what was left out stands in the evidence.
 */

/** Named so by one tool only: left out with and without git. */
export const dependencyFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.yarn',
  '.pnpm-store',
  '.venv',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.eggs',
  '.gradle',
  '.m2',
  '.cargo',
  '.bundle',
  '.dart_tool',
  '.terraform',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.angular',
  '.nyc_output',
  '.tsbuild',
]);

/** Could just as well be somebody's source: left out only in a git repository, whose ignore rules decide. */
export const buildFolders: ReadonlySet<string> = new Set([
  'dist',
  'build',
  'out',
  'target',
  'bin',
  'obj',
  'venv',
  'env',
  'vendor',
  'Pods',
  'DerivedData',
  'coverage',
  '.cache',
]);

export const dependencyAndBuildFolders: ReadonlySet<string> = new Set([...dependencyFolders, ...buildFolders]);

/** Ours: the journal, run directories and locks change all the time while a worker runs. */
export const ownFolder = '.mission-control';

/** Where a link out of the workspace leads to nothing that could be compared: kernel views that never hold still. */
export const unfollowedFolders = ['/proc', '/sys', '/dev', '/run'] as const;
