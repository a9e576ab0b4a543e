import type { Contents } from '../../engine/ports/contents';
import type { Workspace } from '../../engine/ports/workspace';
import { errorWords, refused, type Outcome } from '../../base/outcome';
import { ThreadCaller } from '../system/threads';
import type { WorkspaceOptions } from './workspace';
import type { WorkspaceThreadData } from './thread';

/**
 * Reads the workspace in a worker thread, so that 100,000 files do not block the caller. `script` is the built
 * workspaceThread.js. If the thread dies, its calls are refused and the next one starts it anew.
 */
export function createWorkspaceThread(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): Workspace & { close(): Promise<void> } {
  const thread = threadOf<Workspace>(script, { serves: 'workspace', folder, options });
  const { calls } = thread;
  const outcome = <T>(answer: Promise<Outcome<T>>): Promise<Outcome<T>> =>
    answer.catch((error: unknown) => {
      const reason = `The workspace could not be read: ${errorWords(error)}.`;
      return refused('STATE_STORE_UNWRITABLE', reason, 'Retry the task.');
    });
  return {
    baseline: (request) => outcome(calls.baseline(request)),
    difference: (request) => outcome(calls.difference(request)),
    tree: (request) => outcome(calls.tree(request)),
    undo: (request) => outcome(calls.undo(request)),
    land: (request) => outcome(calls.land(request)),
    standing: (paths) => outcome(calls.standing(paths)),
    links: calls.links,
    head: calls.head,
    close: () => thread.close(),
  };
}

export function createContentsThread(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): Contents & { close(): Promise<void> } {
  const thread = threadOf<Contents>(script, { serves: 'contents', folder, options });
  const { before, now, lines, undo, difference } = thread.calls;
  return { before, now, lines, undo, difference, close: () => thread.close() };
}

function threadOf<S>(script: string, data: WorkspaceThreadData): ThreadCaller<WorkspaceThreadData, S> {
  return new ThreadCaller({ script, name: 'mission-workspace', data });
}
