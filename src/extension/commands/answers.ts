import { ui, type UiText } from '../../base/text/ui';
import type { Answer } from '../folder/types';
import { alarm, inform } from '../window/ui';

/** Shows how a command was decided, with the next valid steps when it was refused. */
export function showAnswer(title: string, answer: Answer): void {
  if (answer.accepted) void inform(ui`${title}: ${answer.reason}`);
  else void alarm(refusalText(title, answer));
}

export function refusalText(title: string, { code, reason, next }: Omit<Answer, 'accepted'>): UiText {
  const steps = next.length === 0 ? '' : ui` Next: ${ui.join(next, ' · ')}`;
  return ui`${title} was refused (${code}). ${reason}${steps}`;
}
