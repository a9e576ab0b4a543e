import { dependencyFolders } from '../../contracts/vocabulary/dependencyFolders';

/**
 * Folders whose ignored content is not compared: package managers and compilers rewrite them in masses, and any worker
 * may rebuild them (decision 37). Tracked files, files that git would add, task paths and forbidden paths
 * inside them are still compared. The evidence names what was left out.
 */

/** Names that may also hold source: left out only in a git repository, whose ignore rules decide. */
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

/**
 * The folder in which jj keeps its operations beside git, and which it writes whenever it is asked anything. Like git's
 * objects and logs they are no changes of the workspace.
 */
export const jjFolder = '.jj';

/** Our own folder: the journal, run directories and locks change all the time while a worker runs. */
export const ownFolder = '.mission-control';

/** A link out of the workspace into these is not compared: they are views of the kernel that change all the time. */
export const unfollowedFolders = ['/proc', '/sys', '/dev', '/run'] as const;
