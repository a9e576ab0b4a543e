import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  contributes?: { commands?: { command: string }[]; views?: Record<string, { id: string }[]> };
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
    const { commands = [], views = {} } = (extension().packageJSON as Manifest).contributes ?? {};
    // VS Code makes commands of each view: to focus it, to move it.
    const ofViews = Object.values(views).flatMap((all) => all.map(({ id }) => `${id}.`));
    const registered = (await vscode.commands.getCommands(true)).filter(
      (command) => command.startsWith('missionControl.') && !ofViews.some((prefix) => command.startsWith(prefix)),
    );
    const contributed = commands.map(({ command }) => command);
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

  it('judges a plan again when the default worker changes', async () => {
    await extension().activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'docs/plans/PLAN_worker.json');
    const plan = { plan_id: 'worker', tasks: [{ task_id: 'a', command: ['true'] }] };
    const says = (wanted: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!vscode.languages.getDiagnostics(uri).some(({ message }) => message.includes(wanted))) return;
          subscription.dispose();
          resolve();
        };
        const subscription = vscode.languages.onDidChangeDiagnostics(look);
        look();
      });
    const settings = vscode.workspace.getConfiguration('missionControl');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(plan)));
    try {
      await vscode.workspace.openTextDocument(uri);
      await says('so it goes to claude');
      await settings.update('defaultWorker', 'codex', vscode.ConfigurationTarget.Global);
      await says('so it goes to codex');
    } finally {
      await settings.update('defaultWorker', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('offers no quick fix for what a person has mended since the plan was judged', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'docs/plans/PLAN_fixes.json');
    const plan = { plan_id: 'fixes', tasks: [{ task_id: 'a', timeout_seconds: 999_999 }] };
    const text = JSON.stringify(plan, null, 2);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const at = text.indexOf('999999');
      const place = new vscode.Range(document.positionAt(at), document.positionAt(at + '999999'.length));
      const titles = async (): Promise<string[]> => {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          new vscode.Range(place.start, place.start),
        );
        return actions.map(({ title }) => title);
      };
      const offersRemoval = async (): Promise<boolean> => (await titles()).includes('Remove "timeout_seconds"');
      // The plan is judged a moment after it was written.
      for (let look = 0; look < 100 && !(await offersRemoval()); look += 1)
        await new Promise((resolve) => setTimeout(resolve, 100));
      assert.ok(await offersRemoval(), (await titles()).join());
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, place, '900');
      assert.ok(await vscode.workspace.applyEdit(edit));
      // Asked at once: the new text is not judged yet.
      assert.equal(await offersRemoval(), false);
      await document.save();
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('offers the words of the contract while a plan is written', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'docs/plans/PLAN_words.json');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  \n}\n'));
    try {
      await vscode.workspace.openTextDocument(uri);
      const labels = async (): Promise<string[]> => {
        const list = await vscode.commands.executeCommand<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          uri,
          new vscode.Position(1, 2),
        );
        return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      };
      // The JSON language server takes a moment to start and to read the schema.
      let found = await labels();
      for (let look = 0; look < 1200 && !found.includes('plan_id'); look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        found = await labels();
      }
      for (const word of ['contract_version', 'plan_id', 'success_criteria'])
        assert.ok(found.includes(word), found.join());
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });
});
