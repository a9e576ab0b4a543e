import type { Journal } from '../engine/ports';
import type { NewEntry } from '../core/mission/journalEntry';
import { redactText, secretValues } from './redact';

/**
 * The journal behind the one boundary that text passes on its way to disk: what people and workers say (reasons,
 * claims, denials, the ends of outputs) and what was going to run (argv) loses its secrets before it is appended. The
 * state is folded from what was stored, so the views and the evidence never see them either.
 *
 * Kept as they are: identifiers, digests and places, which are not free text, and the received plan. It says what to
 * run, a command without its argument would be another one, and it lies in the repository in clear text.
 */
export function redactedJournal<E extends { readonly type: string }, J extends Journal<E>>(
  journal: J,
  environment: Readonly<Record<string, string | undefined>>,
): J {
  const secrets = secretValues(environment).filter((value) => /\d/.test(value) || value.length >= 16);
  const clean = (entry: NewEntry<E>): NewEntry<E> =>
    entry.event.type === 'MissionReceived' || redactText(JSON.stringify(entry.event), secrets).redactions === 0
      ? entry
      : { ...entry, event: redactValue(entry.event, '', secrets) as E };
  return {
    ...journal,
    append: (stream, expectedSeq, fence, entries) => journal.append(stream, expectedSeq, fence, entries.map(clean)),
  };
}

/** Names of fields that hold no free text. */
const identifier = /(?:^|_)(?:type|id|sha256|dir|nonce|at|outcome|status|kind|code|execution|from|to)$/;

function redactValue(value: unknown, name: string, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return identifier.test(name) ? value : redactText(value, secrets).text;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, name, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, key, secrets)]));
}
