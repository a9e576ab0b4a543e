import { commands as vscodeCommands } from 'vscode';
import { ui, type UiText } from '../../../base/text/marked/ui';
import type { Answer } from '../../folder/types';
import { commands } from '../../registry/registry';
import { alarm } from '../../window/ui';

/** Shows why it was refused. What holds every start is lifted by a button, because its line is one of a terminal. */
export async function showRefusal(title: string, refusal: Omit<Answer, 'accepted'>): Promise<void> {
  const text = refusalText(title, refusal);
  const { id, title: allow } = commands.allowStarts;
  if (refusal.code !== 'STARTS_HELD') await alarm(text);
  else if ((await alarm(text, allow)) === allow) await vscodeCommands.executeCommand(id);
}

export function refusalText(title: string, { code, reason, next }: Omit<Answer, 'accepted'>): UiText {
  const steps = next.length === 0 ? '' : ui` Next: ${ui.join(next, ' · ')}`;
  return ui`${title} was refused (${code}). ${reason}${steps}`;
}
