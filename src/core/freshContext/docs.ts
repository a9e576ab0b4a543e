import { ledgerStatuses } from '../../contracts/vocabulary/execution';
import { contractCodes } from '../../contracts/vocabulary/codes/codes';
import { contractFamilies, contractMeanings, contractSteps } from '../../contracts/vocabulary/codes/errorCodes';
import { filledPattern } from '../../contracts/vocabulary/forms';
import { freshContextVersion } from '../../contracts/vocabulary/freshContext';
import {
  cell,
  inMarkdown,
  paragraphs,
  table,
  type MarkdownText,
  type MarkdownValue,
} from '../../base/text/marked/markdown';
import { isLegalTransition } from '../ledger/transitions';
import { isObject, listAt, objectAt, textAt, valueAt, type JsonObject } from '../../base/json';

/** A document of the contract: its name for readers, and its generated JSON Schema. */
export interface DescribedDocument {
  readonly name: string;
  readonly schema: object;
}

/** handoff/<n>/contracts.md: every field of every document, from their schemas. Ends with a line end. */
export function contractsMarkdown(documents: readonly DescribedDocument[]): MarkdownText {
  const parts = [
    inMarkdown`# Contracts`,
    inMarkdown`Documents of Fresh Context, version ${freshContextVersion}. Every 1.x is read; another major version is refused with UNKNOWN_SCHEMA_VERSION. Fields whose names start with \`x_\` are extensions and always allowed.`,
    ...documents.flatMap(describe),
    ...states(),
  ];
  return inMarkdown`${paragraphs(parts)}\n`;
}

/** handoff/<n>/error-codes.md: the closed catalogue of failures. Ends with a line end. */
export function errorCodesMarkdown(): MarkdownText {
  const rows = contractCodes.map((code) => [
    cell(code),
    contractFamilies[code],
    contractMeanings[code],
    contractSteps[code],
  ]);
  const parts = [
    inMarkdown`# Error codes`,
    inMarkdown`A validator answers with exactly one primary code: \`OK\`, or one of these. There are no others.`,
    table(['code', 'family', 'meaning', 'what to do'], rows),
  ];
  return inMarkdown`${paragraphs(parts)}\n`;
}

function states(): readonly MarkdownText[] {
  const rows = ledgerStatuses.map((from) => [
    cell(from),
    successors(ledgerStatuses.filter((to) => isLegalTransition(from, to))),
  ]);
  return [
    inMarkdown`## States of a task`,
    table(['from', 'to'], rows),
    inMarkdown`To \`in_progress\`: dependencies done, lock scope held and free of conflicts, assignment valid, owner set. To \`done\`: result valid, every criterion passed with evidence, ledger reconciled. To \`blocked\`: a code, a reason, an entry in the blockers. Deltas of an orchestrator are applied in order, one with a known id is ignored, the last one per task wins, a row that does not exist needs \`x_create\`, and streams that contradict each other give CONCURRENCY_CONFLICT and change nothing.`,
  ];
}

function successors(statuses: readonly string[]): MarkdownText {
  return statuses.length === 0
    ? inMarkdown`none; only a replay that names its reason and changes nothing`
    : inMarkdown.join(statuses.map(cell), ', ');
}

function describe({ name, schema }: DescribedDocument): readonly MarkdownText[] {
  const root = isObject(schema) ? schema : {};
  const rows: MarkdownValue[][] = [];
  walk(root, '', rows);
  const title = textAt(root, 'title');
  return [
    inMarkdown`## ${name}`,
    ...(title === null ? [] : [inMarkdown`${title}.`]),
    table(['field', 'type', 'required', 'rules'], rows),
  ];
}

/** One row per field, followed by the fields of an object or of list items. */
function walk(schema: JsonObject, path: string, rows: MarkdownValue[][]): void {
  const required = new Set(listAt(schema, 'required') ?? []);
  for (const [key, property] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (!isObject(property)) continue;
    const at = path === '' ? key : `${path}.${key}`;
    const items = objectAt(property, 'items');
    const inner = innerOf(property);
    rows.push([
      cell(items === null ? at : `${at}[]`),
      typeOf(property),
      required.has(key) ? 'yes' : 'no',
      rulesOf(property, items),
    ]);
    if (inner !== null) walk(inner, items === null ? at : `${at}[]`, rows);
  }
}

/** The schema of the fields below this one: of itself, of its items, or of the one alternative that is an object. */
function innerOf(property: JsonObject): JsonObject | null {
  const candidates = [objectAt(property, 'items') ?? property, ...objectsIn(property, 'anyOf')];
  return candidates.find((candidate) => objectAt(candidate, 'properties') !== null) ?? null;
}

function typeOf(schema: JsonObject): string {
  const items = objectAt(schema, 'items');
  if (items !== null) return `list of ${typeOf(items)}`;
  const alternatives = objectsIn(schema, 'anyOf');
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' or ');
  const type = valueAt(schema, 'type');
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  return valueAt(schema, 'const') === undefined ? 'anything' : 'string';
}

function rulesOf(property: JsonObject, items: JsonObject | null): MarkdownText {
  const rules = [...limitsOf(property), ...objectsIn(property, 'anyOf').flatMap(limitsOf)];
  if (items !== null) rules.push(...limitsOf(items).map((rule) => inMarkdown`each: ${rule}`));
  const description = textAt(property, 'description');
  return inMarkdown.join([...(description === null ? [] : [description]), ...rules], ' ');
}

function limitsOf(schema: JsonObject): readonly MarkdownText[] {
  const rules: MarkdownText[] = [];
  const choices = listAt(schema, 'enum');
  const only = valueAt(schema, 'const');
  if (choices !== null)
    rules.push(
      inMarkdown`one of ${inMarkdown.join(
        choices.map((choice) => cell(String(choice))),
        ', ',
      )};`,
    );
  if (typeof only === 'string') rules.push(inMarkdown`always ${cell(only)};`);
  for (const [key, words] of limits) {
    const value = valueAt(schema, key);
    // Leaves out the largest safe integer, because it bounds every integer.
    if (typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER)
      rules.push(inMarkdown`${words} ${value};`);
  }
  const pattern = textAt(schema, 'pattern');
  if (pattern === filledPattern) rules.push(inMarkdown`not empty;`);
  else if (pattern !== null) rules.push(inMarkdown`matches ${cell(pattern)};`);
  return rules;
}

const limits = [
  ['minItems', 'entries at least'],
  ['maxItems', 'entries at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
] as const;

function objectsIn(schema: JsonObject, key: string): readonly JsonObject[] {
  return (listAt(schema, key) ?? []).filter(isObject);
}
