import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LinesView } from '../../../src/contracts/page/panelView';
import { fold } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import { LineCounts } from '../../../src/engine/views/lineCounts';
import { panelOf, recordedJournal } from '../../support/panelOf';

const counted: ReadonlyMap<string, LinesView> = new Map([['T1', { added: 3, removed: 1, unknown: 0 }]]);

describe('the lines of a mission that is looked at', () => {
  const entries = recordedJournal('0.1.0/done');
  const done = fold(entries);
  assert.ok(done);
  const running = fold(entries.slice(0, -12));
  assert.ok(running?.ending === null);

  /** @param counts what each count ends in */
  const lines = (...counts: (() => Promise<ReadonlyMap<string, LinesView>>)[]) => {
    const asked: string[] = [];
    let news: () => void = () => undefined;
    const made = new LineCounts(
      ({ mission_id }: Mission) => {
        asked.push(mission_id);
        return (counts.shift() ?? (() => Promise.resolve(counted)))();
      },
      () => news(),
    );
    return { made, asked, told: () => new Promise<void>((resolve) => (news = resolve)) };
  };

  it('are counted once, and again when it is opened anew', async () => {
    const { made, asked, told } = lines();
    const first = told();
    assert.equal(made.of(done), null);
    assert.equal(made.of(done), null);
    await first;
    assert.equal(made.of(done), counted);
    assert.equal(asked.length, 1);
    made.opened(done.mission_id);
    const second = told();
    assert.equal(made.of(done), null);
    await second;
    assert.equal(asked.length, 2);
  });

  it('are not counted while it runs, and none where they cannot be', async () => {
    const { made, asked, told } = lines(() => Promise.reject(new Error('no thread')));
    assert.equal(made.of(running), null);
    await nextTurn();
    assert.equal(asked.length, 0);
    assert.equal(made.of(done), null);
    // One at a time: the next one begins after it.
    const second = told();
    made.opened(done.mission_id);
    made.of(done);
    await second;
    assert.equal(made.of(done), counted);
  });

  it('stand on the row of their task', () => {
    const { shown } = panelOf({ missions: [entries], lines: counted });
    assert.ok(shown?.kind === 'mission');
    const [row] = shown.mission.rows;
    assert.deepEqual(row?.lines, counted.get(row?.task_id ?? ''));
  });
});
