import assert from 'node:assert/strict';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkShape } from '../../../src/adapters/documents/schemas';
import type { Finding } from '../../../src/core/documents/finding';
import { checkDocument } from '../../../src/engine/plans/documentCheck';
import { checkPlanText } from '../../../src/engine/plans/check';
import type { DocumentKind } from '../../../src/engine/plans/recognise';
import { richPlan } from '../../core/plan/cases';
import { forbiddenInMessages, withoutValues } from '../../support/messageShapes';
import { sampleDocuments } from './sampleDocuments';

type Path = readonly (string | number)[];
interface Mutant {
  readonly what: string;
  readonly value: unknown;
  /** The field that is there and empty. */
  readonly emptied: string | null;
}

const wrongValues: readonly unknown[] = [null, true, 7, -1, 0.5, '', '  ', 'no such word', [], {}, [[]], [null], [{}]];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every field removed, misspelt, and replaced by every wrong value; an unknown field beside each. */
function* mutants(root: unknown): Generator<Mutant> {
  const put = (at: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown => {
    if (key === undefined) return change(at);
    if (Array.isArray(at)) return at.map((item: unknown, index) => (index === key ? put(item, rest, change) : item));
    const object = at as Readonly<Record<string, unknown>>;
    return { ...object, [key]: put(object[key], rest, change) };
  };
  const visit = function* (value: unknown, path: Path): Generator<Mutant> {
    const name = `/${path.join('/')}`;
    for (const wrong of wrongValues)
      yield {
        what: `${name} = ${JSON.stringify(wrong)}`,
        value: put(root, path, () => wrong),
        emptied: wrong === '' ? name : null,
      };
    if (Array.isArray(value))
      for (const index of value.slice(0, 2).keys()) yield* visit(value[index], [...path, index]);
    if (!isRecord(value)) return;
    yield {
      what: `${name} + colour`,
      value: put(root, path, (object) => ({ ...(object as object), colour: 1 })),
      emptied: null,
    };
    for (const [key, member] of Object.entries(value)) {
      const without = (more: object): unknown =>
        put(root, path, (object) => ({
          ...Object.fromEntries(Object.entries(object as object).filter(([one]) => one !== key)),
          ...more,
        }));
      yield { what: `${name} - ${key}`, value: without({}), emptied: null };
      yield { what: `${name} - ${key} + ${key}s`, value: without({ [`${key}s`]: member }), emptied: null };
      yield* visit(member, [...path, key]);
    }
  };
  yield* visit(root, []);
}

function findingsOf(kind: DocumentKind, value: unknown): readonly Finding[] {
  const text = JSON.stringify(value);
  if (kind === 'plan')
    return checkPlanText(planFiles, text, '/w/docs/plans/PLAN_x.json', { workspaceDir: '/w' }).findings;
  return checkDocument(kind, parseJsonText(Buffer.from(text)), checkShape).findings;
}

describe('every finding about a document', function () {
  this.timeout(300_000);

  for (const [kind, sample] of Object.entries({ ...sampleDocuments, plan: richPlan }) as [DocumentKind, unknown][]) {
    it(`${kind}: is a sentence for a person`, () => {
      let told = 0;
      const sentences = new Set<string>();
      for (const { what, value, emptied } of mutants(sample)) {
        for (const { message, pointer } of findingsOf(kind, value)) {
          told += 1;
          if (emptied === pointer && / or remove the field/.test(message)) {
            const required = findingsOf(kind, withoutField(value, pointer)).some(
              (finding) => finding.code === 'MISSING_REQUIRED_INPUT' && finding.message.includes('lacks'),
            );
            assert.ok(!required, `${kind} ${what}: a required field cannot be removed: ${message}`);
          }
          if (sentences.has(message)) continue;
          sentences.add(message);
          for (const [name, pattern] of Object.entries(forbiddenInMessages))
            assert.doesNotMatch(withoutValues(message), pattern, `${kind} ${what}: ${name} in: ${message}`);
          assert.match(message, /^["A-Z[a-z].{10,}[.?)]$/s, `${kind} ${what}: ${message}`);
        }
      }
      assert.ok(told > 20, `${kind}: ${told}`);
    });
  }
});

function withoutField(value: unknown, pointer: string): unknown {
  const path = pointer.split('/').slice(1);
  const remove = (at: unknown, [key = '', ...rest]: readonly string[]): unknown => {
    if (Array.isArray(at)) return at.map((item: unknown, index) => (String(index) === key ? remove(item, rest) : item));
    if (!isRecord(at)) return at;
    return Object.fromEntries(
      Object.entries(at).flatMap(([name, member]) =>
        name !== key ? [[name, member]] : rest.length === 0 ? [] : [[name, remove(member, rest)]],
      ),
    );
  };
  return remove(value, path);
}
