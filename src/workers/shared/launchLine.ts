import { workPlaces } from '../../contracts/vocabulary/confinement';
import type { HeldBy, LaunchLine } from '../worker';

/** What every launch line of a CLI depends on, a worker's and an orchestrator's. */
interface AnyRequest {
  readonly runDir: string;
  readonly model: string | null;
  readonly heldBy?: HeldBy;
}

/** The CLI's temporary folder is its launch's own, not the shared one. It exists when the launch is prepared. */
export function temporaryDirectory(request: AnyRequest): { readonly TMPDIR: string } {
  return { TMPDIR: inRunDir(request, workPlaces.tmp) };
}

/** In one argument, because a CLI would read a separate value that begins with a dash as an option. */
export function modelArgument({ model }: AnyRequest): readonly string[] {
  return model === null ? [] : [`--model=${model}`];
}

/** A POSIX path below the run directory in the platform's own form. */
export function inRunDir(request: AnyRequest, path: string): string {
  const separator = request.runDir.includes('\\') && !request.runDir.startsWith('/') ? '\\' : '/';
  return [request.runDir, ...path.split('/')].join(separator);
}

export function inSandbox({ heldBy }: AnyRequest): boolean {
  return heldBy?.by === 'sandbox';
}

/** @param limits what the CLI's own line limits, without the full stop */
export function taskSandbox(title: string, limits: string): Pick<LaunchLine, 'confinement' | 'confinementDetail'> {
  return {
    confinement: 'task_sandbox',
    confinementDetail: `${title} runs in a sandbox around the approved paths of its task: nothing else can be written. ${limits}.`,
  };
}

/** `taskSandbox` for the session of an orchestrator, which has no sandbox of ours where none can be had. */
export function orchestratorSandbox(
  title: string,
  limits: string,
  request: AnyRequest,
): Pick<LaunchLine, 'confinement' | 'confinementDetail'> {
  return inSandbox(request)
    ? {
        confinement: 'task_sandbox',
        confinementDetail: `${title} runs in a sandbox in which nothing of the workspace can be written. ${limits}.`,
      }
    : { confinement: 'tool_limits', confinementDetail: `${limits}, no operating system sandbox of ours.` };
}
