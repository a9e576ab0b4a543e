import { markup, type Markup } from '../../base/text/marked/markup';
import type { UiText } from '../../base/text/marked/ui';
import { commands } from '../registry/registry';
import { commandButton } from './document';

/**
 * The foot of a page that asks for a decision; it is always visible. `id` comes back as the argument of the command.
 */
export function approvalFoot(button: UiText, id: string): Markup {
  const approve = { command: commands.approveReviewed.id, argument: id, look: 'first' } as const;
  return markup.lines([
    markup`<footer>${commandButton(button, approve)}`,
    markup`<span class="dim">Closing this page approves nothing.</span></footer>`,
  ]);
}
