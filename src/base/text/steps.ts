/** A decision that a person can type as it stands: only who decides and why is theirs to say. */
export function decisionStep(...words: readonly string[]): string {
  return `mission ${words.join(' ')} --by NAME --reason TEXT`;
}

/** Where an agent is refused. */
export const personStep = 'A person decides it, in the editor or in a terminal of their own.';
