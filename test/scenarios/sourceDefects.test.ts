import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { reasonCategories } from '../../src/contracts/vocabulary/codes/codes';
import { recoveryOutcomes, type RecoveryOutcome } from '../../src/contracts/vocabulary/recovery';
import { categoryOf } from '../../src/core/model/state';
import { cases } from './cases';
import { played } from './played';

/** What shows that ours does not have a defect of the source project: a scenario, or a test by its file and title. */
type Shown = { readonly defect: string } & ({ readonly case: string } | { readonly test: string; readonly it: string });

const file = path.join(process.cwd(), 'test/scenarios/sourceDefects.json');
const table = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Shown>>;
const scenarios = cases().flatMap(([, list]) => list);

/** Ours compares with a baseline, and says more exactly what is dirty: external_change, verify_changed_files. */
const never: ReadonlySet<string> = new Set(['dirty_worktree']);

describe('the defects of the source project of seed 000', () => {
  it('each has its row', () => {
    assert.deepEqual(
      Object.keys(table),
      Array.from({ length: 24 }, (_, index) => `A${index + 1}`),
    );
  });

  for (const [name, shown] of Object.entries(table))
    it(`${name}: ${shown.defect}`, () => {
      if ('case' in shown) {
        assert.ok(
          scenarios.some(({ title }) => title === shown.case),
          `no scenario "${shown.case}"`,
        );
        return;
      }
      assert.ok(existsSync(shown.test), shown.test);
      const text = readFileSync(shown.test, 'utf8');
      assert.ok(text.includes(shown.it), `${shown.test} has no test "${shown.it}"`);
    });

  for (const outcome of recoveryOutcomes)
    it(`the outcome ${outcome} is taken by one scenario and refused by another`, () => {
      const answers = scenarios.flatMap(({ script = [] }) =>
        script.flatMap(({ command, answer = 'OK' }) => (command && outcomeOf(command) === outcome ? [answer] : [])),
      );
      assert.ok(answers.includes('OK'), 'never taken');
      assert.ok(
        answers.some((answer) => answer !== 'OK'),
        'never refused',
      );
    });

  describe('a block of each category', () => {
    const shown = new Set<string>();
    before(() => {
      for (const scenario of scenarios) {
        const { mission } = played(scenario);
        for (const packet of mission.packets) shown.add(categoryOf(mission, packet));
      }
    });
    for (const category of reasonCategories)
      it(`${category} ${never.has(category) ? 'is not ours' : 'is shown by a scenario'}`, () => {
        assert.equal(shown.has(category), !never.has(category));
      });
  });
});

function outcomeOf(command: MissionCommand): RecoveryOutcome | null {
  if (command.type === 'ResolvePacket') return command.outcome;
  if (command.type === 'RetryTask') return 'retry-repair';
  return command.type === 'RerunValidation' ? 'rerun-validation' : null;
}
