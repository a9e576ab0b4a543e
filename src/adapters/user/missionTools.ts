import path from 'node:path';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import type { McpProgram } from '../../workers/worker';
import type { NodeFile } from './node';
import { openProgramCopy } from './programCopy';
import { mcpDigest } from './programDigests';

export interface InstalledTools {
  /** The built `mcp.js` of this installation. */
  readonly mcpFile: string;
  readonly toolVersion: string;
  /** SHA-256 in hex. Default: of the server built with this program. */
  readonly sha256?: string;
}

/**
 * Says how the server of the mission tools is started: its copy in the user's state folder, with the Node that runs our
 * programs.
 */
export async function missionTools(
  { mcpFile, toolVersion, sha256 = mcpDigest }: InstalledTools,
  state: string,
  node: NodeFile,
): Promise<Outcome<McpProgram>> {
  const title = 'server of the mission tools';
  const copy = await openProgramCopy({ file: mcpFile, name: 'mcp', title, toolVersion, sha256 }, state);
  if (!copy.ok) return copy;
  try {
    const electron = process.versions['electron'] === undefined ? {} : { environment: { ELECTRON_RUN_AS_NODE: '1' } };
    return done({ command: await node(), args: [await copy.value()], ...electron });
  } catch (error) {
    const step = 'Reload the window or run the command again; if it stays so, install Mission Control anew.';
    return refused('PROGRAM_CHANGED', `The server of the mission tools cannot be started: ${errorWords(error)}.`, step);
  }
}

/** The path of `mcp.js`, because all built programs of an installation lie in one folder. */
export function mcpFileBeside(supervisorFile: string): string {
  return path.join(path.dirname(supervisorFile), 'mcp.js');
}
