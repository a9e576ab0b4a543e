import { window } from 'vscode';
import type { Answer } from './missionFolder';

/** Tells a person how a command was decided: in one sentence when accepted, with the next valid steps when not. */
export function tellAnswer(title: string, answer: Answer): void {
  if (answer.accepted) void window.showInformationMessage(`${title}: ${answer.reason}`);
  else void window.showErrorMessage(refusalText(title, answer));
}

export function refusalText(title: string, { code, reason, next }: Omit<Answer, 'accepted'>): string {
  const steps = next.length === 0 ? '' : ` Next: ${next.join(' · ')}`;
  return `${title} was refused (${code}). ${reason}${steps}`;
}
