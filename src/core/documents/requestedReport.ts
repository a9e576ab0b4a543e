import type { SubagentResult } from '../../contracts/result';

/** Returns what a worker that is blocked asks: notes that end with a question mark. */
export function askedIn({ status, notes_for_orchestrator }: SubagentResult): readonly string[] {
  return status === 'blocked' ? notes_for_orchestrator.filter((note) => /[?？؟]["'”’)\s]*$/u.test(note)) : [];
}
