import assert from 'node:assert/strict';
import { summaryMarkdown } from '../../../src/core/evidence/summary';
import { executionHeader, summaryFacts } from '../../../src/core/mission/documents';
import { cases } from '../../scenarios/cases';
import { played } from '../../scenarios/played';
import type { Situation } from '../../scenarios/scenario';

describe('what the summary says of changes outside the approved paths', () => {
  function summaryOf(situation: Situation): string {
    const { mission } = played(situation);
    const header = executionHeader(mission, { summary_sha256: null, at: mission.last_at });
    return summaryMarkdown(summaryFacts(mission, header)).toString();
  }

  it('names scratch, changes of others and what verify commands leave as what they are', () => {
    const reach = { writable: ['src'], read_only: [] };
    const rowOf = (text: string, path: string): string =>
      text.split('\n').find((line) => line.startsWith('|') && line.includes(path)) ?? '';
    const scratch = summaryOf({
      scratch: ['coverage'],
      tasks: [{ task_id: 'T1' }],
      world: { 'T1#1': { changes: ['src/a.ts', 'coverage/index.html'] } },
    });
    assert.match(rowOf(scratch, 'coverage/index.html'), /\| scratch of the plan \|/);
    const others = summaryOf({
      tasks: [{ task_id: 'T1' }],
      world: { 'T1#1': { confined: true, reach, changes: ['src/a.ts', 'notes.md'] } },
    });
    assert.match(rowOf(others, 'notes.md'), /\| made by others \|/);
    const left = summaryOf({
      tasks: [{ task_id: 'T1', verify: [['a']] }],
      world: { 'T1#1': { verify_changes: ['cache/x'], known: { 'cache/x': 'ignored' } } },
    });
    assert.match(rowOf(left, 'cache/x'), /\| verify, by its time \| found after the verify commands \|/);
    for (const text of [scratch, others, left]) {
      assert.match(text, /No worker was observed to change anything outside its approved paths/);
      assert.doesNotMatch(text, /No change outside the approved paths|out of scope/);
    }
  });

  it('says of a file with the name of an editor’s own that only its name shows who made it', () => {
    const text = summaryOf({
      tasks: [{ task_id: 'T1' }],
      world: { 'T1#1': { changes: ['src/a.ts', 'lib/b.ts~'] } },
    });
    assert.match(
      text,
      /\| `lib\/b\.ts~` \| \w+ \| external\\_change, by its name \| named like an editor’s own file \|/,
    );
    assert.match(text, /`T1` `lib\/b\.ts~` changed during the attempt, and it is named like an editor’s own file\./);
    assert.doesNotMatch(text, /made by others|external change\./);
  });

  it('contradicts no table of changes, in any scenario', () => {
    let clean = 0;
    for (const [, scenarios] of cases())
      for (const scenario of scenarios) {
        const text = summaryOf(scenario);
        if (!text.includes('No change outside the approved paths was observed')) continue;
        clean += 1;
        const changes = /\n## What changed\n([^]*?)\n## /.exec(text)?.[1] ?? '';
        const outside = changes
          .split('\n')
          .filter(
            (line) =>
              /^\| (?!Task |---)/.test(line) &&
              !/\| in scope(?:; observed, not announced)?(?:; put back, as (?:a validation|attempt \d+) found)? \|/.test(
                line,
              ),
          );
        assert.deepEqual(outside, [], scenario.title);
      }
    assert.ok(clean > 0);
  });
});
