import { readFileSync } from 'node:fs';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { FindingCode } from '../../../src/contracts/vocabulary/codes/findings';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON pointer and the value it is set to; without a value the member is removed. */
export type Edit = readonly [pointer: string, value?: Json];

/** One way to spoil the base plan, and the finding it must cause. */
export interface Case {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly code: FindingCode;
  /** Default: error. */
  readonly severity?: 'error' | 'warning' | 'info';
  readonly at: string;
  /** Regular expression for a part of the message: what a person is to do. */
  readonly says?: string;
}

/** Plan files whose clock stands still. */
export const timelessPlanFiles = { ...planFiles, now: () => '2026-06-01T00:00:00.000Z' };

const fixture = (name: string): unknown => JSON.parse(readFileSync(`test/fixtures/plans/${name}.json`, 'utf8'));

/** A valid, approved plan with two command tasks. */
export const basePlan = fixture('base') as Json;
/** A valid plan with every field. */
export const richPlan = fixture('rich') as Json;
/** One or more for every code that a plan can get. */
export const cases = fixture('cases') as readonly Case[];

/** A copy of the document after the edits. */
export function withEdits(document: Json, edits: readonly Edit[]): Json {
  let root = structuredClone(document);
  for (const [pointer, value] of edits) {
    const tokens = pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = tokens.pop();
    if (last === undefined) {
      root = value ?? null;
      continue;
    }
    let at = root as Record<string, Json>;
    for (const token of tokens) at = at[token] as Record<string, Json>;
    if (value === undefined) Reflect.deleteProperty(at, last);
    else at[last] = value;
  }
  return root;
}
