import { commands as vscodeCommands } from 'vscode';
import type { Composition } from '../compose';
import { missionsHere } from '../folder/missionsHere';
import { commands } from '../registry/registry';
import { needsYouMenu } from '../views/attentionItems';
import { pickFrom } from '../window/pick';

export async function showNeedsYou({ folders }: Composition): Promise<void> {
  const chosen = await pickFrom(needsYouMenu(missionsHere(folders.all)), {
    title: commands.showNeedsYou.title,
    placeHolder: 'What do you want to do?',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await vscodeCommands.executeCommand(commands[chosen.command].id, chosen.on ?? undefined);
}
