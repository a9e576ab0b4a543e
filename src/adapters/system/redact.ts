import { markOfName } from '../../base/nameMark';
import { secretSpans } from '../../base/text/secretSpans';
import { longestSecret, secretPatterns, type SecretPattern } from '../../contracts/vocabulary/files/secretPatterns';

/** `kinds` counts by kind (`openai`, `jwt`, `environment` ...); `redactions` is their sum. */
export interface Redacted {
  readonly text: string;
  readonly redactions: number;
  readonly kinds: Readonly<Record<string, number>>;
}

/** An exact value that a plan or settings let the runner pass on; the name of its variable stands in its place. */
export interface PassedValue {
  readonly name: string;
  readonly value: string;
  /** It stays in names of files: those that an agent says are compared with what it wrote. */
  readonly inTexts?: true;
}

/** Exact values: those of `secretValues` by their text alone, and passed ones with their name. */
export type Secrets = readonly (string | PassedValue)[];

/**
 * Every text passes this on its way to disk. `secrets` are exact values (see `secretValues`). A secret becomes
 * `[redacted:<kind>]`, a passed value `[redacted:<name>]`; redacted text does not change.
 */
export function redactText(text: string, secrets: Secrets = []): Redacted {
  const redactor = createStreamRedactor(secrets);
  const result = redactor.push(text) + redactor.end();
  return { text: result, ...redactor.counts() };
}

/**
 * The name that people and evidence see instead of a file name that holds a secret. The digest of
 * the whole name keeps two such names apart. It lets a person who has the file recognise it.
 */
export function redactName(name: string, secrets: Secrets = []): string {
  const { text, redactions } = redactText(name, secretsOfNames(secrets));
  if (redactions === 0) return name;
  return `${text}${markOfName(name)}`;
}

/** All but those that names of files keep. */
export function secretsOfNames(secrets: Secrets): Secrets {
  return secrets.filter((secret) => typeof secret === 'string' || !secret.inTexts);
}

/** Those that names of files keep. */
export function secretsOfTexts(secrets: Secrets): Secrets {
  return secrets.filter((secret) => typeof secret !== 'string' && secret.inTexts);
}

export interface StreamRedactor {
  /** Returns the text that is safe to write: whole lines, or all but the last 16 KiB of a line without an end. */
  push(chunk: string): string;
  end(): string;
  counts(): { readonly redactions: number; readonly kinds: Readonly<Record<string, number>> };
}

/** Does the same for a stream: also finds a secret split between chunks, and a key over many lines. */
export function createStreamRedactor(secrets: Secrets = []): StreamRedactor {
  const patterns = [...exactPatterns(secrets), ...secretPatterns];
  const kinds = new Map<string, number>();
  let pending = '';

  const flush = (upTo: number): string => {
    const ranges = secretSpans(pending, patterns);
    let text = '';
    let at = 0;
    for (const { start, end, kind } of ranges) {
      if (start >= Math.max(upTo, at)) break;
      text += `${pending.slice(at, start)}[redacted:${kind}]`;
      at = end;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const cut = Math.max(at, upTo);
    text += pending.slice(at, cut);
    pending = pending.slice(cut);
    return text;
  };

  return {
    push(chunk) {
      pending += chunk;
      if (pending.length <= 4 * longestSecret && !chunk.includes('\n')) return '';
      const cut = safeCut(pending);
      return cut === 0 ? '' : flush(cut);
    },
    end: () => flush(pending.length),
    counts: () => ({
      redactions: [...kinds.values()].reduce((sum, count) => sum + count, 0),
      kinds: Object.fromEntries(kinds),
    }),
  };
}

/**
 * Values for `redactText`: those of variables whose names look secret, at least 8 characters long. Paths
 * (`SSH_AUTH_SOCK`, `GOOGLE_APPLICATION_CREDENTIALS`) only name the places of secrets, so they are left out.
 */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= 8 && secretName.test(name) && !/^(?:[A-Za-z]:)?[\\/]/.test(value)
      ? [value]
      : [],
  );
}

/**
 * The values that a plan or settings pass, whatever their names. Words that many texts hold and places of files are no secrets:
 * a log without them could not be read.
 */
export function passedValues(
  values: Readonly<Record<string, string>>,
  where: 'everywhere' | 'in texts' = 'everywhere',
): readonly PassedValue[] {
  return Object.entries(values).flatMap(([name, value]) =>
    ordinary.test(value) || /^(?:[A-Za-z]:[\\/]|\/[^/]+\/)/.test(value)
      ? []
      : [{ name, value, ...(where === 'in texts' && { inTexts: true }) }],
  );
}

/**
 * Those of the secrets that a text does not hold: the plan lies in the repository in clear text. So the approved
 * folders keep their names in every record.
 */
export function unsaidIn(text: string, secrets: Secrets): Secrets {
  const unsaid = (value: string): string =>
    linesOf(value)
      .filter((line) => !formsOf(line).some((form) => text.includes(form)))
      .join('\n');
  return secrets.map((secret) =>
    typeof secret === 'string' ? unsaid(secret) : { ...secret, value: unsaid(secret.value) },
  );
}

const ordinary =
  /^(?:production|development|staging|testing|default|enabled|disabled|verbose|release|localhost|master|latest|stable|nightly)$/i;

/** Leaves out `author`, because many people export GIT_AUTHOR_NAME and approve by that name. */
const secretName = /key|token|secret|passw|passphrase|credential|auth(?!or(?!i))|pat$/i;

/** Cuts at the last line end, but not inside a private key; of a very long line keeps back a secret's length. */
function safeCut(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  if (line === 0) return text.length > 4 * longestSecret ? text.length - longestSecret : 0;
  const key = text.lastIndexOf('-----BEGIN ', line);
  if (key === -1 || text.length - key > longestSecret || text.indexOf('-----END ', key) !== -1) return line;
  return key;
}

/** Patterns for each line of a value, plain and escaped as in JSON text; the longest first. */
function exactPatterns(secrets: Secrets): readonly SecretPattern[] {
  const kinds = new Map<string, string>();
  for (const secret of secrets) {
    const [kind, value, least] =
      typeof secret === 'string' ? (['environment', secret, 8] as const) : ([secret.name, secret.value, 6] as const);
    for (const part of linesOf(value)) {
      if (part.length < least) continue;
      for (const text of formsOf(part)) if (!kinds.has(text)) kinds.set(text, kind);
    }
  }
  return [...new Set(kinds.values())].map((kind) => {
    const texts = [...kinds].flatMap(([text, of]) => (of === kind ? [text] : []));
    const longestFirst = texts
      .sort((a, b) => b.length - a.length)
      .map((value) => value.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      // Times, sizes and identifiers hold every number of six digits.
      .map((value) => (/^\d+$/.test(value) ? String.raw`(?<!\d)${value}(?!\d)` : value));
    return { kind, pattern: new RegExp(longestFirst.join('|'), 'g') };
  });
}

function linesOf(value: string): readonly string[] {
  return value.split(/\r?\n/);
}

/** A line as it is, as JSON text holds it, and as common tools write it: in an address, in hex and in base64. */
function formsOf(line: string): readonly string[] {
  const bytes = Buffer.from(line);
  const hex = bytes.toString('hex');
  const encoded = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // Letters that hold bits of a neighbour too are another one's as well.
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)];
    return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
  });
  const inAddress = encodeURIComponent(line);
  return [
    ...[line, JSON.stringify(line).slice(1, -1)],
    ...[inAddress, inAddress.replaceAll('%20', '+'), hex, hex.toUpperCase(), ...encoded],
  ];
}
