import type { Actor } from '../../contracts/vocabulary/actors';
import type { Journal } from '../../engine/ports/journal';
import type { NewEntry } from '../../core/model/journalEntry';
import { redactName, redactText, secretValues } from '../system/redact';

/**
 * A journal that removes secrets before it appends: from texts of people and workers (reasons, claims, denials, ends of
 * outputs, names of files and people) and from argv. The state is folded from the stored events, so views and evidence
 * never see secrets either.
 *
 * Identifiers, digests and places are no free text and stay. The received plan stays too: a command without its
 * argument would be another one, and the plan lies in the repository in clear text.
 */
export function redactedJournal<E extends { readonly type: string }, J extends Journal<E>>(
  journal: J,
  environment: Readonly<Record<string, string | undefined>>,
): J {
  const secrets = journalSecrets(environment);
  const stored = (event: E): E => {
    const clean = storedValue(event, secrets);
    // The received plan stays, see above.
    return clean !== event && event.type === 'MissionReceived' && 'plan' in event
      ? { ...clean, plan: event.plan }
      : clean;
  };
  const clean = ({ actor, event, ...entry }: NewEntry<E>): NewEntry<E> => ({
    ...entry,
    actor: redactValue(actor, '', secrets) as NewEntry<E>['actor'],
    event: stored(event),
  });
  return {
    ...journal,
    stored,
    append: (stream, expectedSeq, fence, entries) => journal.append(stream, expectedSeq, fence, entries.map(clean)),
  };
}

/** An owner in the form that the journal stores. */
export function storedActor(actor: Actor, environment: Readonly<Record<string, string | undefined>>): Actor {
  return redactValue(actor, '', journalSecrets(environment)) as Actor;
}

/** Returns the name under which the journal stores a file. */
export function storedNames(environment: Readonly<Record<string, string | undefined>>): (path: string) => string {
  const secrets = journalSecrets(environment);
  return (path) => redactName(path, secrets);
}

/** The value in the form that the journal stores, for other files; the same object if it holds no secret. */
export function storedValue<T>(value: T, secrets: readonly string[]): T {
  if (redactText(JSON.stringify(value), secrets).redactions === 0) return value;
  return redactValue(value, '', secrets) as T;
}

/** Exact values to search for in a mission's text. */
export function journalSecrets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return secretValues(environment).filter((value) => /\d/.test(value) || value.length >= 16);
}

/** Fields that hold no free text. */
const identifier = /(?:^|_)(?:type|id|sha256|dir|nonce|at|outcome|status|kind|code|execution|from|to)$/;

/** Fields that hold file names: two that differ in their secret stay two. */
const fileName = /(?:^|_)(?:paths?|files?|file_name|changed|claimed)$/;

function redactValue(value: unknown, name: string, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    if (identifier.test(name)) return value;
    return fileName.test(name) ? redactName(value, secrets) : redactText(value, secrets).text;
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, name, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, key, secrets)]));
}
