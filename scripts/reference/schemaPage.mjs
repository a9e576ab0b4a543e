// Pages about the shape of documents: one table for each object of a JSON Schema.
import { code, page, prose, table } from './markdown.mjs';

/**
 * A page about one or more documents. Each has a key, a name, a schema and the comments beside its
 * fields, by their path. The meaning of a field is its description, else its comment, else that of
 * the table `meanings`. A field without a meaning is an error. An object with `ownTable` fields or
 * more gets a table of its own. The row of its field shows a smaller one.
 */
export function schemaPage(title, about, documents, meanings) {
  const anchors = new Map();
  const silent = [];
  const lines = documents.flatMap((document) =>
    new Tables(document, { anchors, meanings, silent }).linesOf(document.schema),
  );
  if (silent.length > 0) throw new Error(`${title}: no meaning of ${silent.join(', ')}`);
  return page(title, about, lines);
}

class Tables {
  #key;
  #name;
  #comments;
  #meanings;
  /** The fields without a meaning, of all documents of the page. */
  #silent;
  #ownTable;
  /** anchor -> how many headings of the page have it. */
  #anchors;
  /** text of an object's schema -> the link to its table, so that the same object is shown once. */
  #known = new Map();
  #open = [];

  constructor({ key, name, comments = new Map(), ownTable = 3 }, { anchors, meanings, silent }) {
    this.#key = key;
    this.#name = name;
    this.#comments = comments;
    this.#ownTable = ownTable;
    this.#anchors = anchors;
    this.#meanings = meanings;
    this.#silent = silent;
  }

  linesOf(schema) {
    this.#open.push({ path: '', schema });
    const lines = [];
    while (this.#open.length > 0) {
      const { path, schema: shown } = this.#open.shift();
      lines.push(path === '' ? `## ${code(this.#name)}` : `### ${code(path)}`, '');
      lines.push(...table(['field', 'form', 'meaning'], this.#rows(shown, path)), '');
    }
    return lines;
  }

  #rows({ properties, required = [] }, path) {
    return Object.entries(properties).map(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const form = this.#form(field, at);
      return [code(name), required.includes(name) ? form : `${form}, optional`, prose(this.#meaning(field, at))];
    });
  }

  #meaning({ description }, at) {
    const place = at.replaceAll('[]', '');
    const meaning = description ?? this.#comments.get(place) ?? this.#meanings.take(this.#key, place);
    if (!meaning) this.#silent.push(`${this.#key}/${place}`);
    return meaning ?? '';
  }

  #form(schema, at) {
    if (schema.const !== undefined) return code(JSON.stringify(schema.const));
    if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ');
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((one) => this.#form(one, at)))].join(' or ');
    if (Array.isArray(schema.type)) return schema.type.map((type) => this.#form({ ...schema, type }, at)).join(' or ');
    switch (schema.type) {
      case 'array':
        return `list of ${this.#form(schema.items ?? {}, `${at}[]`)}`;
      case 'object':
        return this.#object(schema, at);
      case 'string':
        return textForm(schema);
      case 'number':
      case 'integer':
        return numberForm(schema);
      case 'boolean':
        return '`true` or `false`';
      case 'null':
        return '`null`';
      default:
        return 'any value';
    }
  }

  #object(schema, at) {
    const names = Object.keys(schema.properties ?? {});
    if (names.length === 0) return 'object';
    if (names.length < this.#ownTable) {
      const inner = names.map((name) => `${code(name)} (${this.#form(schema.properties[name], `${at}.${name}`)})`);
      return `object of ${inner.join(' and ')}`;
    }
    const key = JSON.stringify(schema);
    if (!this.#known.has(key)) {
      this.#known.set(key, `[${code(at)}](#${this.#anchor(at)})`);
      this.#open.push({ path: at, schema });
    }
    return this.#known.get(key);
  }

  /** Numbers a heading that occurs again, as Markdown readers do. */
  #anchor(heading) {
    const anchor = heading.toLowerCase().replaceAll(/[^\w-]/g, '');
    const before = this.#anchors.get(anchor) ?? 0;
    this.#anchors.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  }
}

function textForm({ format, pattern }) {
  if (format === 'date-time' || pattern?.includes('T\\d{2}:\\d{2}')) return 'time';
  if (pattern?.includes('{64}')) return 'SHA-256';
  return 'text';
}

function numberForm({ type, minimum, maximum, exclusiveMinimum }) {
  const what = type === 'integer' ? 'whole number' : 'number';
  // Skips the largest safe integer, because zod writes it where there is no limit.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (exclusiveMinimum !== undefined) return `${what} above ${exclusiveMinimum}`;
  if (least !== undefined && most !== undefined) return `${what}, ${least} to ${most}`;
  if (least !== undefined) return `${what}, at least ${least}`;
  return most === undefined ? what : `${what}, at most ${most}`;
}
