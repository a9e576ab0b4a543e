import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { MissionView } from '../../../src/contracts/page/missionView';
import type { IgnoredBy } from '../../../src/contracts/vocabulary/files/evidenceFiles';
import type { MissionFolder, MissionFolders } from '../../../src/extension/folder/missionFolders';
import { fakeVscode } from '../fakeVscode';
import { completed, failed, missionView } from '../sampleViews';

const by: IgnoredBy = { file: '.gitignore', line: 1, pattern: 'docs/ops/' };
const rule =
  'Git does not keep the evidence in docs/ops/executions/p, because line 1 of .gitignore (docs/ops/) ignores it. Take that line out, or add the evidence with git add --force docs/ops/executions/p once the mission has ended.';

describe('the notification of the end of a mission', () => {
  let said: string[];
  const says = (text: string): Promise<undefined> => {
    said.push(text);
    return Promise.resolve(undefined);
  };
  before(() =>
    fakeVscode({ window: { showInformationMessage: says, showErrorMessage: says, showWarningMessage: says } }),
  );
  beforeEach(() => (said = []));

  /** What is said when a mission that went on has ended so. */
  const saidAtEnd = async (
    end: MissionView,
    ignoredBy: () => Promise<IgnoredBy | null>,
  ): Promise<readonly string[]> => {
    const { MissionNotifications } = await import('../../../src/extension/views/missionNotifications');
    let look: () => void = () => assert.fail('no view is followed');
    const none = { dispose: () => undefined };
    const folder = {
      folder: { uri: { fsPath: '/w', toString: () => 'file:///w' }, name: 'w' },
      view: { missions: [missionView()] },
      onDidChangeView: (listener: () => void) => ((look = listener), none),
      notifyOnce: () => Promise.resolve(true),
    };
    const folders = { all: [folder], onDidChange: () => none } as unknown as MissionFolders & {
      readonly all: readonly MissionFolder[];
    };
    const memory = { get: () => undefined, update: () => Promise.resolve() } as Pick<Memento, 'get' | 'update'>;
    const notifications = new MissionNotifications(folders, memory, ignoredBy);
    look();
    folder.view = { missions: [end] };
    look();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    notifications.dispose();
    return said;
  };

  it('is followed by the rule by which git ignores the evidence, and the step', async () => {
    for (const end of [completed(), failed()]) {
      said = [];
      const [text, ...more] = await saidAtEnd(end, () => Promise.resolve(by));
      assert.match(text ?? '', /^Mission p (completed|failed)/);
      assert.deepEqual(more, [rule]);
    }
  });

  it('does not wait for git, which may need a minute', async () => {
    let answer: (found: IgnoredBy) => void = () => assert.fail('git is not asked');
    const texts = await saidAtEnd(completed(), () => new Promise((resolve) => (answer = resolve)));
    assert.deepEqual(texts, ['Mission p completed.']);
    answer(by);
    await new Promise(setImmediate);
    assert.deepEqual(texts, ['Mission p completed.', rule]);
  });

  it('is followed by nothing where git keeps the evidence, or cannot be asked', async () => {
    for (const ask of [() => Promise.resolve(null), () => Promise.reject(new Error('no git'))]) {
      said = [];
      assert.deepEqual(await saidAtEnd(completed(), ask), ['Mission p completed.']);
    }
  });
});
