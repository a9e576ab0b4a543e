import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import type { Change } from '../../../src/core/observation/change';
import { review, type ReviewFile } from '../../../src/core/view/review';
import { cases } from '../../scenarios/cases';
import { played } from '../../scenarios/played';
import type { Situation } from '../../scenarios/scenario';

function missionOf(situation: Situation): Mission {
  const mission = fold(played(situation).entries);
  assert.ok(mission);
  return mission;
}

function filesOf(mission: Mission): readonly ReviewFile[] {
  return review(
    mission,
    mission.rows.map(({ task }) => task.task_id),
  ).files;
}

/** A change that a worker made in scope: what was there, and what it left; null: nothing. */
function change(path: string, was: string | null, is: string | null, more: Partial<Change> = {}): Change {
  return {
    ...{ path, kind: was === null ? 'added' : is === null ? 'deleted' : 'modified' },
    ...{ before_sha256: was, after_sha256: is, resolved_path: null, changed_at: null, detail: null },
    ...{ attribution: 'worker', in_scope: true, violation: null },
    ...more,
  };
}

/** A task that ended in as many attempts as there are lists of changes. */
function changed(...attempts: readonly (readonly Change[])[]): Mission {
  const mission = missionOf({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { changes: ['src/a'] } } });
  const [row] = mission.rows;
  const last = row?.attempts.at(-1);
  assert.ok(row && last?.observed);
  const { observed } = last;
  const made = attempts.map((changes, index) => ({
    ...{ ...last, attempt: index + 1, ended_at: `2026-01-01T00:00:0${index}.000Z` },
    observed: { ...observed, changes: [...changes] },
  }));
  return { ...mission, rows: [{ ...row, attempts: made }] };
}

/** Path, where it was before, what was there, and what is. */
function reviewLines(mission: Mission): readonly string[] {
  const side = (one: ReviewFile['before'] | ReviewFile['after']): string =>
    one.kind === 'file' ? one.sha256 : one.kind === 'other' ? one.says : '-';
  return filesOf(mission).map(
    ({ path, before_path, before, after, violation, note }) =>
      `${path} ${before_path === path ? '' : `from ${before_path} `}${side(before)}>${side(after)}${violation ? ` ${violation}` : ''}${note ? ` ${note}` : ''}`,
  );
}

describe('what tasks changed, for a person to review', () => {
  it('is from before the first attempt to what the last one left', () => {
    const first = [change('a', 'A', 'B'), change('b', 'A', 'B'), change('c', null, 'C'), change('d', 'D', 'E')];
    const second = [change('a', 'B', 'C'), change('b', 'B', 'A'), change('c', 'C', null), change('d', 'E', null)];
    assert.deepEqual(reviewLines(changed(first, second)), ['a A>C', 'd D>-']);
  });

  it('is from before the next attempt where the one before it stayed in a layer', () => {
    const layered = { layered: true } as const;
    const first = [change('a', 'A', 'B', layered), change('b', 'A', 'B')];
    const second = [change('a', 'X', 'Y', layered), change('b', 'B', 'C')];
    assert.deepEqual(reviewLines(changed(first, second)), ['a X>Y', 'b A>C']);
  });

  it('keeps why a file should not have been touched, and a mode, also where the content is as before', () => {
    const out = change('a', 'A', 'B', { in_scope: false, violation: 'is outside' });
    const mode = change('b', 'A', 'A', { kind: 'mode_changed', detail: 'mode 644 -> 755' });
    const second = [change('a', 'B', 'A'), change('b', 'A', 'B'), change('c', 'A', 'B')];
    assert.deepEqual(reviewLines(changed([out, mode], second)), ['a A>A is outside', 'b A>B mode 644 -> 755', 'c A>B']);
  });

  it('keeps the mode of a file whose content changed with it, also where a later attempt undid the content', () => {
    const both = change('a', 'A', 'B', { before_mode: '644', after_mode: '755', detail: 'mode 644 -> 755' });
    const link = change('b', 'A', 'B', { detail: 'elsewhere' });
    assert.deepEqual(reviewLines(changed([both, link])), ['a A>B mode 644 -> 755', 'b A>B']);
    assert.deepEqual(reviewLines(changed([both], [change('a', 'B', 'A')])), ['a A>A mode 644 -> 755']);
  });

  it('is not what others changed, unless it blocks, nor scratch; what git has is named beside', () => {
    const mission = changed([
      change('a', 'A', 'B', { attribution: 'external_change' }),
      change('b', 'A', 'B', { attribution: 'unattributed' }),
      change('e', 'A', 'B', { attribution: 'external_change', relied_on: 'is named by a command' }),
      change('c', 'A', 'B', { scratch: true }),
      change('d', 'A', 'B', { attribution: 'verify' }),
      change('.git/HEAD', null, null, { kind: 'git', violation: 'moved HEAD' }),
    ]);
    assert.deepEqual(reviewLines(mission), ['e A>B is named by a command', 'b A>B', 'd A>B']);
    assert.deepEqual(
      filesOf(mission).map(({ path, doubted }) => [path, doubted]),
      [
        ['e', ['T1']],
        ['b', ['T1']],
        ['d', []],
      ],
    );
    assert.deepEqual(review(mission, ['T1']).beside, ['T1: .git/HEAD (moved HEAD)']);
  });

  it('is moved where one file went and one with its bytes came, and not where there are more of them', () => {
    const one = [change('from', 'A', null), change('to', null, 'A')];
    assert.deepEqual(reviewLines(changed(one)), ['to from from A>A']);
    assert.deepEqual(reviewLines(changed([...one, change('too', null, 'A')])), ['from A>-', 'to ->A', 'too ->A']);
    assert.deepEqual(reviewLines(changed([...one, change('form', 'A', null)])), ['form A>-', 'from A>-', 'to ->A']);
  });

  it('names the task during which a file was found changed, while nothing shows who changed it', () => {
    const doubt = { attribution: 'unattributed', in_scope: false, doubt: 'is outside' } as const;
    const found = change('a', 'A', 'B', doubt);
    const byWhom = (...attempts: readonly (readonly Change[])[]): unknown =>
      filesOf(changed(...attempts)).map(({ tasks, doubted }) => [tasks, doubted]);
    assert.deepEqual(byWhom([found]), [[['T1'], ['T1']]]);
    assert.deepEqual(byWhom([change('a', 'A', 'B')]), [[['T1'], []]]);
    assert.deepEqual(byWhom([found], [change('a', 'B', 'C')]), [[['T1'], []]]);
    assert.deepEqual(byWhom([change('from', 'A', null, doubt), change('to', null, 'A', doubt)]), [[['T1'], ['T1']]]);
  });

  it('takes the word of the stream for what a worker changed whose result never came', () => {
    const world = {
      'T1#1': { claim: 'missing', changes: ['src/T1/a.ts', 'src/T1/b.ts'], end: { announced: ['src/T1/a.ts'] } },
    } as const;
    const mission = missionOf({ tasks: [{ task_id: 'T1', worker: 'codex' }], world });
    assert.deepEqual(
      filesOf(mission).map(({ path, unannounced }) => [path, unannounced]),
      [
        ['src/T1/a.ts', []],
        ['src/T1/b.ts', ['T1']],
      ],
    );
  });

  it('names the task whose result announced a file apart from those that only its time gives it to', () => {
    const filesBy = (worker: 'codex' | 'command'): unknown => {
      const world = { 'T1#1': { changes: ['src/T1/a.ts'] } };
      const mission = missionOf({ tasks: [{ task_id: 'T1', worker }], world });
      return filesOf(mission).map(({ path, tasks, unannounced }) => [path, tasks, unannounced]);
    };
    assert.deepEqual(filesBy('codex'), [['src/T1/a.ts', ['T1'], []]]);
    assert.deepEqual(filesBy('command'), [['src/T1/a.ts', ['T1'], ['T1']]]);
  });

  it('has in every scenario exactly the files that attempts left, out-of-scope ones first', () => {
    let [seen, violations] = [0, 0];
    for (const [, scenarios] of cases())
      for (const scenario of scenarios) {
        const mission = missionOf(scenario);
        const files = filesOf(mission);
        const paths = files.map(({ path }) => path);
        assert.deepEqual(paths, [...new Set(paths)], scenario.title);
        const known = new Set(
          [...mission.lanes, ...mission.rows.flatMap(({ attempts }) => attempts)].flatMap(
            ({ observed, after_verify }) => [
              ...(observed?.changes ?? []).map(({ path }) => path),
              ...(after_verify?.changes ?? []).map(({ path }) => path),
            ],
          ),
        );
        for (const path of paths) assert.ok(known.has(path), `${scenario.title}: ${path}`);
        const lastOut = files.findLastIndex(({ violation }) => violation !== null);
        assert.equal(lastOut, files.filter(({ violation }) => violation !== null).length - 1, scenario.title);
        seen += files.length;
        violations += lastOut + 1;
      }
    assert.ok(seen > 100 && violations > 10, `${seen} ${violations}`);
  });

  it('has the files of one task only, where one is asked for', () => {
    const mission = missionOf({
      tasks: [{ task_id: 'T1' }, { task_id: 'T2', paths: ['docs'], depends_on: ['T1'] }],
      world: { 'T1#1': { changes: ['src/a'] }, 'T2#1': { changes: ['docs/b'] } },
    });
    assert.deepEqual(
      filesOf(mission).map(({ path, tasks }) => [path, ...tasks]),
      [
        ['docs/b', 'T2'],
        ['src/a', 'T1'],
      ],
    );
    assert.deepEqual(
      review(mission, ['T2', 'nobody']).files.map(({ path }) => path),
      ['docs/b'],
    );
  });
});
