import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notMachineChecked } from '../../src/contracts/vocabulary/execution';
import { beforeExecution, beforeSandboxExit, beforeSave } from '../../src/core/lifecycle/checks';
import type { MissionEvent } from '../../src/core/model/events';
import type { FailedRule } from '../../src/core/model/facts';
import type { Rule } from '../../src/core/lifecycle/judge/rules';
import { verificationRules } from '../../src/core/lifecycle/verification';
import { cases } from './cases';
import { check } from './check';
import { play } from './play';
import { played } from './played';

const rules = [...beforeExecution, ...beforeSave, ...beforeSandboxExit, ...verificationRules];
const alone = cases().flatMap(([, scenarios]) => scenarios.filter((scenario) => scenario.alone !== undefined));

describe('each check and each rule of a step of verification', () => {
  for (const rule of rules) {
    const name = `${rule.at} ${rule.name}`;
    it(`${name}: has a scenario that it alone turns, which goes red without it`, () => {
      const scenarios = alone.filter((scenario) => scenario.alone === name);
      assert.notEqual(scenarios.length, 0, 'no scenario is named after it');
      for (const scenario of scenarios) {
        const by = played(scenario).entries.flatMap(({ event }) => foundBy(event));
        assert.ok(
          by.some((found) => found.at === rule.at && found.name === rule.name),
          `${scenario.title}: found by ${JSON.stringify(by)}`,
        );
        assert.throws(() => {
          without(rule, () => {
            check(scenario, play(scenario));
          });
        }, `${scenario.title}: it makes no difference`);
      }
    });
  }

  it('the checks of the contract are rules, hold by construction, or are recorded as not machine-checked: none is left out', () => {
    const file = path.join(process.cwd(), 'test/scenarios/contractChecks.json');
    const table = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    const names = new Set(rules.map((rule) => `${rule.at} ${rule.name}`));
    for (const [check, { rule, construction, not_machine_checked: told }] of Object.entries(table))
      assert.ok(
        rule === undefined ? (construction ?? told) : names.has(rule),
        `${check}: there is no rule ${String(rule)}`,
      );
    const told = Object.values(table).flatMap(({ not_machine_checked: name }) => name ?? []);
    assert.deepEqual(told.sort(), notMachineChecked.map(({ name }) => name).sort());
  });

  it('is named by a scenario only where there is such a rule', () => {
    const names = rules.map((rule) => `${rule.at} ${rule.name}`);
    assert.deepEqual(
      alone.filter((scenario) => !names.includes(scenario.alone ?? '')).map(({ title }) => title),
      [],
    );
  });
});

/** The rules that a journal entry names as failed. */
function foundBy(event: MissionEvent): readonly FailedRule[] {
  if ('failure' in event) return event.failure?.by ? [event.failure.by] : [];
  const checks = event.type === 'PhaseCompleted' ? event.checks : undefined;
  return checks?.failed ? [{ at: checks.point, name: checks.failed.name }] : [];
}

/** Takes a rule out of its table for as long as something is done. */
function without(rule: Rule, act: () => void): void {
  const table = rule as { judge: Rule['judge'] };
  const { judge } = table;
  table.judge = () => null;
  try {
    act();
  } finally {
    table.judge = judge;
  }
}
