import { freshContextFields, type FreshContextObject } from '../../contracts/vocabulary/freshContext';
import { objectAt, objectsAt, pointerToken, quoted, type JsonObject } from '../plan/json';
import type { Report } from './report';

const known: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(freshContextFields).map(([kind, fields]) => [kind, new Set<string>(fields)]),
);

/** Lists and objects of a document whose fields are known, by their key in it. */
export type Parts = Readonly<Record<string, FreshContextObject>>;

/** Fields that are in no contract: ignored, and said so. `x_` marks what its author knows to be an extension. */
export function judgeFields(
  document: JsonObject,
  kind: FreshContextObject,
  parts: Parts,
  report: Report,
  base = '',
): void {
  judgeObject(document, kind, base, report);
  for (const [key, part] of Object.entries(parts)) {
    const object = objectAt(document, key);
    if (object !== null) judgeObject(object, part, `${base}/${key}`, report);
    for (const [item, index] of objectsAt(document, key)) judgeObject(item, part, `${base}/${key}/${index}`, report);
  }
}

function judgeObject(object: JsonObject, kind: FreshContextObject, pointer: string, report: Report): void {
  for (const key of Object.keys(object)) {
    if (known.get(kind)?.has(key) === true || key.startsWith('x_')) continue;
    report(
      'FIELD_UNKNOWN',
      `${pointer}/${pointerToken(key)}`,
      `${quoted(key)} is in no contract and is ignored; remove it, or start its name with x_ to keep it.`,
      'warning',
    );
  }
}
