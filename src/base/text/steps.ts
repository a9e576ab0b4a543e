import { quotedArguments } from './visible';

/** A command that a person can type as it stands, after filling in NAME and TEXT. */
export function decisionStep(...commandWords: readonly string[]): string {
  return `mission ${commandWords.join(' ')} --by NAME --reason TEXT`;
}

/** `mission <command> <file>`, the file quoted where a shell would take its name for several words. */
export function fileStep(command: string, file: string, ...options: readonly string[]): string {
  return ['mission', command, quotedArguments([file]), ...options].join(' ');
}

/** The next step when a command of an agent is refused. */
export const personStep = 'A person decides it, in the editor or in a terminal of their own.';
