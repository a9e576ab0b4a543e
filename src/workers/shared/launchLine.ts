import { workPlaces } from '../../contracts/vocabulary/confinement';
import type { LaunchLine, LaunchRequest } from '../worker';

/** The request of a session that writes nothing: a draft, or an orchestrator. */
export const readsOnly = {
  resumeSessionId: null,
  fileLevelOnly: true,
  writes: false,
  addDirectories: [],
  // It may look at any folder, because it writes nothing.
  skipGitRepoCheck: true,
  trustWorkspace: true,
  resultSchema: null,
} as const satisfies Partial<LaunchRequest>;

/** The CLI's temporary folder is its launch's own, not the shared one. It exists when the launch is prepared. */
export function temporaryDirectory(request: LaunchRequest): { readonly TMPDIR: string } {
  return { TMPDIR: inRunDir(request, workPlaces.tmp) };
}

/** In one argument, because a CLI would read a separate value that begins with a dash as an option. */
export function modelArgument({ model }: LaunchRequest): readonly string[] {
  return model === null ? [] : [`--model=${model}`];
}

/** The CLI's own session: a new one of that name, or an earlier one. */
export function sessionArguments({ sessionId, resumeSessionId }: LaunchRequest): readonly string[] {
  return resumeSessionId === null ? ['--session-id', sessionId] : ['--resume', resumeSessionId];
}

/** A POSIX path below the run directory in the platform's own form. */
export function inRunDir({ runDir }: LaunchRequest, path: string): string {
  const separator = runDir.includes('\\') && !runDir.startsWith('/') ? '\\' : '/';
  return [runDir, ...path.split('/')].join(separator);
}

export function inSandbox({ heldBy }: LaunchRequest): boolean {
  return heldBy?.by === 'sandbox';
}

export function toolLimits(cli: string, { writes, mission }: LaunchRequest): string {
  const also = mission === undefined ? '' : ', and the mission tools';
  return `${cli} gets only its ${writes ? 'file' : 'reading'} tools, limited to the workspace${also}; no shell, no network tools`;
}

/** Says what confines a CLI. @param limits what its own line limits, without the full stop */
export function confinedBy(
  cli: string,
  limits: string,
  request: LaunchRequest,
): Pick<LaunchLine, 'confinement' | 'confinementDetail'> {
  const { mission } = request;
  if (!inSandbox(request))
    return {
      confinement: 'tool_limits',
      confinementDetail: `${limits}, no operating system sandbox${mission === undefined ? '' : ' of ours'}.`,
    };
  const held =
    mission === undefined
      ? 'around the approved paths of its task: nothing else can be written'
      : 'in which nothing of the workspace can be written';
  return { confinement: 'task_sandbox', confinementDetail: `${cli} runs in a sandbox ${held}. ${limits}.` };
}
