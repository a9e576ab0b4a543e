// The meanings of fields that have neither a description in their schema nor a comment beside them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = 'scripts/reference/fieldMeanings.json';

/** The table of a repository: the name of a field, or `document/path` where the name means something else there. */
export function readFieldMeanings(root) {
  return new FieldMeanings(JSON.parse(readFileSync(path.join(root, file), 'utf8')));
}

/** A table of meanings, which remembers the entries that a page took. */
export class FieldMeanings {
  #table;
  #taken = new Set();

  constructor(table) {
    this.#table = table;
  }

  /** Returns the meaning of the field at `at` (`attempts.launches.argv`) of a document; undefined: it has none here. */
  take(document, at) {
    const keys = [`${document}/${at}`, at.slice(at.lastIndexOf('.') + 1)];
    const key = keys.find((one) => Object.hasOwn(this.#table, one));
    if (key === undefined) return undefined;
    this.#taken.add(key);
    return this.#table[key];
  }

  /** Throws where no page took an entry: its field is gone, or has a meaning of its own. */
  mustBeTaken() {
    const left = Object.keys(this.#table).filter((key) => !this.#taken.has(key));
    if (left.length > 0) throw new Error(`${file}: no row shows ${left.join(', ')}`);
  }
}
