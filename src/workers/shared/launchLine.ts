import type { LaunchRequest } from '../worker';

/** Below the run directory; keeps what a CLI leaves behind in a temporary folder out of the shared one. */
export const temporaryDir = 'tmp';

/** Makes `temporaryDir` exist: files are written with their parent folders. */
export const temporaryDirMarker = { path: `${temporaryDir}/.keep`, content: '' } as const;

/** One argument with its value: a plan's model that begins with a dash would else be read as an option of its own. */
export function modelArgument({ model }: LaunchRequest): readonly string[] {
  return model === null ? [] : [`--model=${model}`];
}

/** A path below the run directory in the platform's own form. */
export function inRunDir(request: LaunchRequest, ...names: readonly string[]): string {
  const separator = request.runDir.includes('\\') && !request.runDir.startsWith('/') ? '\\' : '/';
  return [request.runDir, ...names].join(separator);
}
