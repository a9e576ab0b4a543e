import { dependencyFolders, outputFolders } from '../../contracts/vocabulary/files/dependencyFolders';

/**
 * Folders whose ignored content is not compared: package managers and compilers rewrite them in masses, and any worker
 * may rebuild them (decision 37). Tracked files, files that git would add, task paths and forbidden paths
 * inside them are still compared. The evidence names what was left out.
 */

/** Names that may also hold source: left out only in a git repository, whose ignore rules decide. */
export const buildFolders: ReadonlySet<string> = new Set([...outputFolders, 'venv', 'env', 'vendor', 'Pods']);

export const dependencyAndBuildFolders: ReadonlySet<string> = new Set([...dependencyFolders, ...buildFolders]);

/** The folder in which jj keeps its operations. It writes there at every command, so the content does not count. */
export const jjFolder = '.jj';

/** Mission Control's own folder: journal, run directories and locks change all the time while a worker runs. */
export const ownFolder = '.mission-control';

/** The comparison follows no link into these, because the kernel and running programs change them all the time. */
export const unfollowedFolders = ['/proc', '/sys', '/dev', '/run'] as const;
