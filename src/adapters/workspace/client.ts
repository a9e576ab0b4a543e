import type { PathStanding } from '../../core/observation/pathState';
import type { Contents, FileContent, LineCount } from '../../engine/ports/contents';
import type { BaselineFacts, DifferenceFacts, TreeFacts, Workspace } from '../../engine/ports/workspace';
import { errorMessage, refused, type Outcome } from '../../base/outcome';
import { ThreadCaller } from '../system/threads';
import type { WorkspaceOptions } from './workspace';
import type { WorkspaceCall, WorkspaceThreadData } from './thread';

/**
 * Reads the workspace in a worker thread, so that 100,000 files do not block the caller. `script` is the built
 * workspaceThread.js. If the thread dies, its calls are refused and the next one starts it anew.
 */
export function createWorkspaceThread(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): Workspace & { close(): Promise<void> } {
  const thread = threadOf(script, folder, options);
  const outcome = async <T>(call: WorkspaceCall): Promise<Outcome<T>> => {
    try {
      return (await thread.call(call)) as Outcome<T>;
    } catch (error) {
      const reason = `The workspace could not be read: ${errorMessage(error)}.`;
      return refused('STATE_STORE_UNWRITABLE', reason, 'Retry the task.');
    }
  };
  return {
    baseline: (request) => outcome<BaselineFacts>({ kind: 'baseline', request }),
    difference: (request) => outcome<DifferenceFacts>({ kind: 'difference', request }),
    tree: (request) => outcome<TreeFacts>({ kind: 'tree', request }),
    standing: (paths) => outcome<readonly PathStanding[]>({ kind: 'standing', paths }),
    links: async (paths) => (await thread.call({ kind: 'links', paths })) as Readonly<Record<string, string | null>>,
    head: async () => (await thread.call({ kind: 'head' })) as string | null,
    close: () => thread.close(),
  };
}

/** Reads file contents for people, in such a thread. */
export function createContentsThread(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): Contents & { close(): Promise<void> } {
  const thread = threadOf(script, folder, options);
  const ask = async <T>(call: WorkspaceCall): Promise<T> => (await thread.call(call)) as T;
  return {
    before: (mission_id, files) => ask<readonly FileContent[]>({ kind: 'contents_before', mission_id, files }),
    now: (paths) => ask<readonly FileContent[]>({ kind: 'contents_now', paths }),
    lines: (mission_id, files) => ask<readonly (LineCount | null)[]>({ kind: 'lines', mission_id, files }),
    difference: (request) => ask<Outcome<DifferenceFacts>>({ kind: 'contents_difference', request }),
    close: () => thread.close(),
  };
}

function threadOf(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): ThreadCaller<WorkspaceThreadData, WorkspaceCall, unknown> {
  return new ThreadCaller({ script, name: 'mission-workspace', data: { folder, options } });
}
