import { realpath } from 'node:fs/promises';
import type { Contents, FileContent } from '../../engine/ports/contents';
import { contentsBefore, contentsNow } from './contentsBefore';
import { LineComparison } from './lineCounts';
import { createWorkspace, type WorkspaceOptions } from './workspace';

/** Reads for people the files of a workspace before its tasks, and now. */
export function createContents(folder: string, options: WorkspaceOptions): Contents {
  const root = (): Promise<string> => realpath(folder);
  const workspace = createWorkspace(folder, options);
  const contents: Contents = {
    before: async (missionId, files) => contentsBefore(await root(), options.user_state, missionId, files),
    now: async (asked) => contentsNow(await root(), asked),
    async lines(missionId, files) {
      const asked = files.flatMap(({ before }) => before ?? []);
      const known = await contents.before(missionId, asked);
      const before = new Map(asked.map((query, index) => [query, known[index]]));
      const now = await contents.now(files.map(({ after }) => after ?? { path: '' }));
      const comparison = new LineComparison();
      return files.map((file, index) => {
        const [was, is] = [file.before && before.get(file.before), file.after && now[index]];
        if (is && (!('sha256' in is) || is.sha256 !== file.after?.sha256)) return null;
        return comparison.count(was === null ? '' : textOf(was), is === null ? '' : textOf(is));
      });
    },
    undo: (request) => workspace.undo({ ...request, only_look: true }),
    difference: (request) => workspace.difference({ ...request, run_dir: '', only_look: true }),
  };
  return contents;
}

function textOf(content: FileContent | undefined): string | null {
  return content?.kind === 'text' ? content.text : null;
}
