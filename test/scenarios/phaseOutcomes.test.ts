import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { driverOutcomes, phaseNames } from '../../src/contracts/vocabulary/execution';
import { cases } from './cases';
import { played } from './played';

/** Shown by a scenario, by its title, or by construction never, with the reason. */
type Cell = { readonly case: string } | { readonly never: string };

const file = path.join(process.cwd(), 'test/scenarios/phaseOutcomes.json');
const table = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Readonly<Record<string, Cell>>>>;

describe('the four outcomes of the driver in every phase', () => {
  /** By cell, the titles of the scenarios whose whole missions show it. */
  const shown = new Map<string, string[]>();
  before(() => {
    for (const scenario of cases().flatMap(([, list]) => list))
      for (const { event } of played(scenario).entries)
        if (event.type === 'PhaseCompleted') {
          const cell = `${event.phase} ${event.outcome}`;
          shown.set(cell, [...(shown.get(cell) ?? []), scenario.title]);
        }
  });

  for (const [phase, name] of Object.entries(phaseNames))
    for (const outcome of driverOutcomes)
      it(`phase ${phase} (${name.replaceAll('_', ' ')}): ${outcome}`, () => {
        const cell = table[phase]?.[outcome];
        assert.ok(cell, 'the table says nothing of it');
        const found = shown.get(`${phase} ${outcome}`) ?? [];
        if ('case' in cell)
          assert.ok(found.includes(cell.case), `shown by ${found.slice(0, 3).join('; ') || 'nothing'}`);
        else assert.deepEqual(found, [], cell.never);
      });

  it('are all, and no other: the table has no further phase or outcome', () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(phaseNames).sort());
    for (const row of Object.values(table)) assert.deepEqual(Object.keys(row).sort(), [...driverOutcomes].sort());
  });
});
