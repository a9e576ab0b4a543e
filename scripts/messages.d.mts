/** Types of scripts/messages.mjs, for the tests of messages. */
export interface Message {
  readonly kind: 'finding' | 'evidence' | 'refusal' | 'stop' | 'doctor' | 'usage';
  readonly code: string;
  readonly text: string;
  /** What to do next. */
  readonly steps: readonly string[];
  readonly file: string;
  readonly line: number;
}
export function readMessages(root: string): readonly Message[];
