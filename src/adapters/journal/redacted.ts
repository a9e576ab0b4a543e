import type { Actor } from '../../contracts/vocabulary/actors';
import type { EnginePorts } from '../../engine/ports/engine';
import type { Journal, PageOptions } from '../../engine/ports/journal';
import { isObject, objectAt, textAt, textsAt } from '../../base/json';
import type { NewEntry } from '../../core/model/journalEntry';
import {
  redactName,
  redactText,
  secretsOfNames,
  secretsOfTexts,
  secretValues,
  unsaidIn,
  type Secrets,
} from '../system/redact';

/**
 * A journal that removes secrets before it appends: from texts of people and workers (reasons, claims, denials, ends of
 * outputs, names of files and people) and from argv. The state is folded from the stored events, so views and evidence
 * never see secrets either.
 *
 * The first event of a mission names the variables that its plan passes; from then on their values are removed as well,
 * and no value that the plan says. Values that settings pass are removed from texts alone.
 *
 * Identifiers, digests and places are no free text and stay. The received plan stays too: a command without its
 * argument would be another one, and the plan lies in the repository in clear text.
 */
export function redactedJournal<E extends { readonly type: string }, J extends Journal<E>>(
  journal: J,
  environment: Readonly<Record<string, string | undefined>>,
  passed: (names: readonly string[]) => Secrets = () => [],
): J & Pick<EnginePorts, 'storedName' | 'secretsIn'> {
  const known = new Map<string, object | null>();
  /** Null after a mission was learned: an owner that reads many missions asks once, after the last. */
  let asked: Secrets | null = null;
  const secrets = (): Secrets => {
    if (asked !== null) return asked;
    const plans = [...known.values()];
    const names = plans.flatMap((one) => textsAt(one, 'env_names').map(([name]) => name));
    const all = [...journalSecrets(environment), ...passed([...new Set(names)])];
    asked = plans.reduce<Secrets>((left, one) => (left.length === 0 ? left : unsaidIn(JSON.stringify(one), left)), all);
    return asked;
  };
  const learn = (event: unknown): void => {
    if (!isObject(event) || event['type'] !== 'MissionReceived') return;
    const digest = textAt(event, 'plan_sha256');
    if (digest === null || known.has(digest)) return;
    known.set(digest, objectAt(event, 'plan'));
    asked = null;
  };
  const stored = (event: E): E => {
    learn(event);
    const clean = storedValue(event, secrets());
    // The received plan stays, see above.
    return clean !== event && event.type === 'MissionReceived' && 'plan' in event
      ? { ...clean, plan: event.plan }
      : clean;
  };
  const clean = ({ actor, event, ...entry }: NewEntry<E>): NewEntry<E> => ({
    ...entry,
    actor: redactValue(actor, '', secrets()) as NewEntry<E>['actor'],
    event: stored(event),
  });
  return {
    ...journal,
    stored,
    storedName: (path) => redactName(path, secrets()),
    secretsIn: (text) => Object.keys(redactText(text, secrets()).kinds),
    read: async (stream, afterSeq, most) => {
      const entries = await journal.read(stream, afterSeq, most);
      for (const { event } of entries) learn(event);
      return entries;
    },
    async *pages(stream: string, options?: PageOptions) {
      for await (const page of journal.pages(stream, options)) {
        for (const { event } of page) learn(event);
        yield page;
      }
    },
    append: (stream, expectedSeq, fence, entries) => journal.append(stream, expectedSeq, fence, entries.map(clean)),
  };
}

/** An owner in the form that the journal stores. */
export function storedActor(actor: Actor, environment: Readonly<Record<string, string | undefined>>): Actor {
  return redactValue(actor, '', journalSecrets(environment)) as Actor;
}

/** The value in the form that the journal stores, for other files; the same object if it holds no secret. */
export function storedValue<T>(value: T, secrets: Secrets): T {
  if (redactText(JSON.stringify(value), secrets).redactions === 0) return value;
  return redactValue(value, '', secrets) as T;
}

/** The value without what settings pass; the other secrets were taken out before. The same object if it holds none. */
export function withoutPassed<T>(value: T, secrets: Secrets): T {
  const passed = secretsOfTexts(secrets);
  return passed.length === 0 ? value : storedValue(value, passed);
}

/** Exact values to search for in a mission's text. */
export function journalSecrets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return secretValues(environment).filter((value) => /\d/.test(value) || value.length >= 16);
}

/** Fields that hold no free text. */
const identifier = /(?:^|_)(?:type|id|sha256|dir|nonce|at|outcome|status|kind|code|execution|from|to)$/;

/** Fields that hold file names: two that differ in their secret stay two. */
const fileName = /(?:^|_)(?:paths?|files?|file_name|changed|claimed|announced|resource|link)$|Changes$/;

/** Fields in which people, workers and commands say something. Settings may pass a word that names places as well. */
const freeText =
  /(?:^|_)(?:text|reason|messages?|details?|notes?|title|trouble|problems?|explanation|why|what|warnings?|wait|question|asked|answer|lines?|did|tail|error|issues?|findings?|summary|unresolved|action|excerpt|value)$|Reason$|Message$/;

/** Values that a worker gives their form: of these all is free text. */
const ofWorker = /^(?:structured|claim)$/;

/** A name of a file in a result packet that is text. */
const namedInText = /("(?:resource|path|file_path|worklog_path)"\s*:\s*"(?:[^"\\]|\\.)*")/;

/** @param free the value, or what it lies in, is free text */
function redactValue(value: unknown, name: string, secrets: Secrets, free = false): unknown {
  if (typeof value === 'string') {
    if (identifier.test(name)) return value;
    if (fileName.test(name)) return redactName(value, secrets);
    return redactLeaf(value, secrets, free || freeText.test(name));
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, name, secrets, free));
  if (typeof value !== 'object' || value === null) return value;
  const within = free || ofWorker.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      // The engine goes on from the places of a sandbox, which no worker chose. Only its command line is shown.
      !within && name === 'sandbox' && key !== 'argv' ? item : redactValue(item, key, secrets, within),
    ]),
  );
}

function redactLeaf(text: string, secrets: Secrets, free: boolean): string {
  const clean = redactText(text, secretsOfNames(secrets)).text;
  const passed = free ? secretsOfTexts(secrets) : [];
  if (passed.length === 0) return clean;
  const parts = clean.split(namedInText);
  return parts.map((part, index) => (index % 2 === 1 ? part : redactText(part, passed).text)).join('');
}
