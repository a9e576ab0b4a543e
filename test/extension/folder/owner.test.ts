import assert from 'node:assert/strict';
import { fakeVscode } from '../fakeVscode';

describe('the owner of the missions of a folder, once it was let go', () => {
  /** What a command is answered that was under way when this went. */
  async function answered(gone: 'window' | 'folder'): Promise<readonly string[]> {
    fakeVscode({});
    const { FolderOwner } = await import('../../../src/extension/folder/owner');
    const owner = new FolderOwner('/workspace', {
      openPorts: () => assert.fail('it opens a state folder'),
      engineOptions: () => assert.fail('it drives missions'),
      log: {} as never,
    });
    await owner.letGo(gone);
    const answer = await owner.use({ kind: 'human', name: 'Ada' }, () => assert.fail('it owns'));
    return answer.ok ? [] : [answer.refusal.reason, ...answer.refusal.next];
  }

  it('says that the window closes', async () => {
    assert.deepEqual(await answered('window'), ['This window is closing.', 'Repeat it in another window.']);
  });

  it('says that the folder left a window which stays', async () => {
    assert.deepEqual(await answered('folder'), [
      'This window drives no mission of the folder, because the folder left it.',
      'Add the folder again (File > Add Folder to Workspace...), then repeat it.',
    ]);
  });
});
