import type { Actor } from '../../contracts/vocabulary/actors';
import type { Journal } from '../../engine/ports/journal';
import type { NewEntry } from '../../core/model/journalEntry';
import { redactName, redactText, secretValues } from '../system/redact';

/**
 * The journal behind the one boundary that text passes on its way to disk: what people and workers say (reasons,
 * claims, denials, the ends of outputs, names of files and of people) and what was going to run (argv) loses its secrets
 * before it is appended. The
 * state is folded from what was stored, so the views and the evidence never see them either.
 *
 * Kept as they are: identifiers, digests and places, which are not free text, and the received plan. It says what to
 * run, a command without its argument would be another one, and it lies in the repository in clear text.
 */
export function redactedJournal<E extends { readonly type: string }, J extends Journal<E>>(
  journal: J,
  environment: Readonly<Record<string, string | undefined>>,
): J {
  const secrets = journalSecrets(environment);
  const clean = (entry: NewEntry<E>): NewEntry<E> => {
    const actor = redactValue(entry.actor, '', secrets) as NewEntry<E>['actor'];
    const event = storedValue(entry.event, secrets);
    if (event === entry.event) return { ...entry, actor };
    // The received plan says what to run: see above.
    const plan = entry.event.type === 'MissionReceived' && 'plan' in entry.event ? { plan: entry.event.plan } : {};
    return { ...entry, actor, event: { ...event, ...plan } };
  };
  return {
    ...journal,
    append: (stream, expectedSeq, fence, entries) => journal.append(stream, expectedSeq, fence, entries.map(clean)),
  };
}

/** The name under which the journal keeps an owner. */
export function storedActor(actor: Actor, environment: Readonly<Record<string, string | undefined>>): Actor {
  return redactValue(actor, '', journalSecrets(environment)) as Actor;
}

/** The name under which the journal keeps a file. */
export function storedNames(environment: Readonly<Record<string, string | undefined>>): (path: string) => string {
  const secrets = journalSecrets(environment);
  return (path) => redactName(path, secrets);
}

/** As the journal keeps it: what else is written beside it says the same. The value itself where it holds no secret. */
export function storedValue<T>(value: T, secrets: readonly string[]): T {
  if (redactText(JSON.stringify(value), secrets).redactions === 0) return value;
  return redactValue(value, '', secrets) as T;
}

/** Exact values that are looked for in the text of a mission. */
export function journalSecrets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return secretValues(environment).filter((value) => /\d/.test(value) || value.length >= 16);
}

/** Names of fields that hold no free text. */
const identifier = /(?:^|_)(?:type|id|sha256|dir|nonce|at|outcome|status|kind|code|execution|from|to)$/;

/** Names of fields that hold the name of a file: two that differ in their secret stay two. */
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
