import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import * as vscode from 'vscode';

/** What the product relies on in a real extension host, apart from its own code. */
describe('in the extension host: what VS Code gives', () => {
  it('is the extension host of a VS Code that package.json accepts', () => {
    const [major, minor] = vscode.version.split('.').map(Number);
    assert.ok(major === 1 && minor !== undefined && minor >= 120, vscode.version);
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
  });

  it('has node:sqlite, which the journal needs', () => {
    const database = new DatabaseSync(':memory:');
    assert.deepEqual({ ...database.prepare('SELECT 1 AS one').get() }, { one: 1 });
    database.close();
  });
});
