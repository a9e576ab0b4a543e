import type { PathStanding } from '../../core/observation/standing';
import type { BaselineFacts, DifferenceFacts, Workspace } from '../../engine/ports/workspace';
import { errorMessage, refused, type Outcome } from '../../base/outcome';
import { ThreadCaller } from '../system/threads';
import type { WorkspaceOptions } from './workspace';
import type { WorkspaceCall, WorkspaceThreadData } from './thread';

/**
 * The workspace folder, read in a worker thread, so that 100,000 files hold up nothing of the caller's. `script` is
 * the built workspaceThread.js. Should the thread end by itself, what it was asked is refused; the next call starts it
 * anew.
 */
export function createWorkspaceThread(
  script: string,
  folder: string,
  options: WorkspaceOptions,
): Workspace & { close(): Promise<void> } {
  const thread = new ThreadCaller<WorkspaceThreadData, WorkspaceCall, unknown>({
    script,
    name: 'mission-workspace',
    data: { folder, options },
  });
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
    standing: (paths) => outcome<readonly PathStanding[]>({ kind: 'standing', paths }),
    links: async (paths) => (await thread.call({ kind: 'links', paths })) as Readonly<Record<string, string | null>>,
    head: async () => (await thread.call({ kind: 'head' })) as string | null,
    close: () => thread.close(),
  };
}
