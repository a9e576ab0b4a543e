import { forbiddenArguments } from './forbidden';
import type { LaunchRequest } from '../worker';

/** Below the run directory; keeps what a CLI leaves behind in a temporary folder out of the shared one. */
export const temporaryDir = 'tmp';

/** Makes `temporaryDir` exist: files are written with their parent folders. */
export const temporaryDirMarker = { path: `${temporaryDir}/.keep`, content: '' } as const;

/** A path below the run directory in the platform's own form. */
export function inRunDir(request: LaunchRequest, ...names: readonly string[]): string {
  const separator = request.runDir.includes('\\') && !request.runDir.startsWith('/') ? '\\' : '/';
  return [request.runDir, ...names].join(separator);
}

/**
 * The user's extra arguments. The engine refuses forbidden ones with a code before it asks for a launch
 * line; one that arrives here nevertheless is a broken invariant.
 */
export function extraArguments(request: LaunchRequest): readonly string[] {
  const forbidden = forbiddenArguments(request.extraArgs);
  if (forbidden.length > 0)
    throw new Error(`Invariant: arguments that switch safety off reached a launch line: ${forbidden.join(' ')}`);
  return request.extraArgs;
}
