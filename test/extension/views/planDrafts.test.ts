import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { MissionFolders } from '../../../src/extension/folder/missionFolders';
import { waitFor } from '../../vscode/harness/waitFor';
import { fakeVscode } from '../fakeVscode';

interface Watcher {
  readonly pattern: string;
  readonly changed: (() => void)[];
}

/** The plans that trees and panel list, where what they are judged by changes and they do not. */
describe('the listed plans of a folder', () => {
  const watchers: Watcher[] = [];

  before(() => {
    const nothing = { dispose: () => undefined };
    fakeVscode({
      EventEmitter: class {
        readonly event = () => nothing;
        readonly fire = (): void => undefined;
        readonly dispose = (): void => undefined;
      },
      RelativePattern: class {
        constructor(
          readonly folder: unknown,
          readonly pattern: string,
        ) {}
      },
      workspace: {
        createFileSystemWatcher: ({ pattern }: { readonly pattern: string }) => {
          const changed: (() => void)[] = [];
          const on = (listener: () => void): unknown => changed.push(listener);
          watchers.push({ pattern, changed });
          return { onDidCreate: on, onDidChange: on, onDidDelete: on, ...nothing };
        },
        findFiles: () => Promise.resolve([{ fsPath: '/w/docs/plans/PLAN_a.json' }]),
        fs: { stat: () => Promise.resolve({ size: 2, mtime: 0 }) },
      },
    });
  });

  for (const [index, file] of ['ai.project.json', 'docs/plans/model-policy.json'].entries())
    it(`are judged anew when ${file} changes`, async () => {
      const { PlanDrafts } = await import('../../../src/extension/views/folderFiles');
      const uri = { toString: () => `file:///w${index}`, fsPath: '/w' };
      const folder = { folder: { uri, name: 'w', index: 0 }, view: null };
      const folders = { all: [folder], onDidChange: () => ({ dispose: () => undefined }) };
      let judged = 0;
      const drafts = new PlanDrafts(folders as unknown as MissionFolders, {
        plans: {
          ...planFiles,
          read: () => {
            judged += 1;
            return Promise.resolve(planFiles.parse('{}'));
          },
        },
        planWritten: { follow: () => undefined } as never,
        defaultWorker: () => 'claude',
      });
      await waitFor(() => judged === 1 && drafts.of(folder as never).length === 1, { what: 'the first judgement' });
      for (const { pattern, changed } of watchers.splice(0)) if (pattern === file) changed[1]?.();
      await waitFor(() => judged === 2, { what: `a judgement after ${file} has changed` });
      drafts.dispose();
    });
});
