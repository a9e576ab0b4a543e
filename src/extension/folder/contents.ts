import { userStateFolder } from '../../adapters/user/folder';
import { createContentsThread } from '../../adapters/workspace/client';
import type { Contents } from '../../engine/ports/contents';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import type { Contribution } from '../registry/registry';
import type { MissionFolder } from './missionFolders';

type Thread = ReturnType<typeof createContentsThread>;

/** Milliseconds without a question until a thread ends, because it keeps manifests of many files in memory. */
const idleMilliseconds = 120_000;

/** Reads for people the files of a folder before its tasks and now. The thread of a folder starts when it is needed. */
export class FolderContents implements Contribution {
  readonly #threads = new Map<string, { readonly thread: Thread; timer: NodeJS.Timeout | null; asked: number }>();

  /** @param script the built workspaceThread.js */
  constructor(private readonly script: string) {}

  async use<T>(
    { folder }: Pick<MissionFolder, 'folder'>,
    work: (contents: Contents) => Promise<T>,
  ): Promise<Outcome<T>> {
    const state = userStateFolder();
    if (!state.ok) return state;
    const { fsPath } = folder.uri;
    const known = this.#threads.get(fsPath);
    const kept = known ?? {
      thread: createContentsThread(this.script, fsPath, { user_state: state.value }),
      timer: null,
      asked: 0,
    };
    this.#threads.set(fsPath, kept);
    if (kept.timer) clearTimeout(kept.timer);
    kept.timer = null;
    kept.asked += 1;
    try {
      return done(await work(kept.thread));
    } catch (error) {
      const reason = `What lies in the workspace could not be read: ${errorWords(error)}.`;
      return refused('STATE_STORE_CORRUPT', reason, 'Open it once more.');
    } finally {
      kept.asked -= 1;
      if (kept.asked === 0 && this.#threads.get(fsPath) === kept) {
        kept.timer = setTimeout(() => this.#close(fsPath), idleMilliseconds);
        kept.timer.unref();
      }
    }
  }

  dispose(): void {
    for (const fsPath of [...this.#threads.keys()]) this.#close(fsPath);
  }

  #close(fsPath: string): void {
    const kept = this.#threads.get(fsPath);
    this.#threads.delete(fsPath);
    if (kept?.timer) clearTimeout(kept.timer);
    void kept?.thread.close();
  }
}
