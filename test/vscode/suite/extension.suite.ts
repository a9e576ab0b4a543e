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

  it('registers every command that it contributes', async () => {
    await extension().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed = (extension().packageJSON as Manifest).contributes?.commands ?? [];
    assert.ok(contributed.length > 0, 'package.json contributes no command');
    assert.deepEqual(
      contributed.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
