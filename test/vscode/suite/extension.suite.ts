import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  contributes?: { commands?: { command: string }[] };
}

describe('in the extension host: Mission Control', () => {
  const extension = (): vscode.Extension<unknown> => {
    const found = vscode.extensions.getExtension('mission-control.mission-control');
    assert.ok(found, 'the extension is not installed');
    return found;
  };

  it('activates', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  it('registers every command that it contributes, and no other', async () => {
    await extension().activate();
    const registered = (await vscode.commands.getCommands(true)).filter((command) =>
      command.startsWith('missionControl.'),
    );
    const contributed = ((extension().packageJSON as Manifest).contributes?.commands ?? []).map(
      ({ command }) => command,
    );
    assert.ok(contributed.length > 0, 'package.json contributes no command');
    assert.deepEqual(registered.sort(), contributed.sort());
  });

  it('creates nothing in a workspace without a plan', async () => {
    await extension().activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const names = (await vscode.workspace.fs.readDirectory(folder.uri)).map(([name]) => name);
    assert.deepEqual(
      names.filter((name) => name === '.mission-control'),
      [],
    );
  });

  it('judges an invalid plan in a document with a range in the document', async () => {
    await extension().activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'docs/plans/PLAN_suite.json');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "plan_id": 7\n}\n'));
    try {
      await vscode.workspace.openTextDocument(uri);
      const found = await new Promise<vscode.Diagnostic>((resolve) => {
        const look = (): void => {
          const [diagnostic] = vscode.languages.getDiagnostics(uri).filter(({ range }) => range.start.line === 1);
          if (diagnostic) {
            subscription.dispose();
            resolve(diagnostic);
          }
        };
        const subscription = vscode.languages.onDidChangeDiagnostics(look);
        look();
      });
      assert.equal(found.source, 'Mission Control');
      assert.deepEqual([found.range.start.character, found.range.end.character], [13, 14]);
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });
});
