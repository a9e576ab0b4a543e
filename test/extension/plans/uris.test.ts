import assert from 'node:assert/strict';
import { fakeVscode } from '../fakeVscode';

class Uri {
  readonly scheme = 'file';
  constructor(readonly path: string) {}
  toString(): string {
    return `file://${this.path}`;
  }
}

const mine = new Uri('/here/docs/plans/PLAN_mine.json');

/** Only one plan is in the window, and it is in the active editor: what a command takes that was called on nothing. */
describe('the plan that a command is called on', () => {
  let said: string[];
  let chosen: (argument: unknown) => Promise<unknown>;

  before(async () => {
    const folder = { uri: new Uri('/here'), name: 'here', index: 0 };
    const folderOf = ({ path }: Uri): typeof folder | undefined => (path.startsWith('/here/') ? folder : undefined);
    fakeVscode({
      Uri,
      workspace: {
        workspaceFolders: [folder],
        getWorkspaceFolder: folderOf,
        asRelativePath: (uri: Uri) => (folderOf(uri) ? uri.path.slice('/here/'.length) : uri.path),
        findFiles: () => Promise.resolve([mine]),
      },
      window: {
        activeTextEditor: { document: { uri: mine } },
        showInformationMessage: (text: string) => Promise.resolve(void said.push(text)),
      },
    });
    const { choosePlan } = await import('../../../src/extension/plans/uris');
    chosen = (argument) => choosePlan(argument, 'Run Plan', () => Promise.resolve('approved'));
  });
  beforeEach(() => {
    said = [];
  });

  it('is that one, and without one the plan in the editor', async () => {
    const other = new Uri('/here/docs/plans/PLAN_other.json');
    assert.equal(await chosen(other), other);
    assert.equal(await chosen(undefined), mine);
    assert.deepEqual(said, []);
  });

  for (const [where, path, shown] of [
    ['in a folder that was removed from the window', '/gone/docs/plans/PLAN_x.json', '/gone/docs/plans/PLAN_x.json'],
    ['in another folder than plans lie in', '/here/drafts/PLAN_x.json', 'drafts/PLAN_x.json'],
  ] as const)
    it(`is no other one where it is ${where}`, async () => {
      assert.equal(await chosen(new Uri(path)), undefined);
      assert.deepEqual(said, [
        `Run Plan: ${shown} is no plan of this window, so nothing was done. Plans lie in docs/plans of an open folder.`,
      ]);
    });
});
