import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { fold } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import { EvidenceChecks } from '../../../src/engine/views/evidenceChecks';
import { recordedJournal } from '../../support/panelOf';

const holds = { valid: true, findings: [] };
const broken = {
  code: 'TASK_DIGEST_MISMATCH',
  severity: 'error',
  file: 'TASK_T1.json',
  message: 'It has another digest than the header says.',
};

function missionOf(name: string): Mission {
  const mission = fold(recordedJournal(name));
  assert.ok(mission);
  return mission;
}

/** A check whose answers come when the test says so. */
function checks(): {
  readonly checks: EvidenceChecks;
  readonly asked: string[];
  /** Prints an answer, and waits until the check reports it. */
  readonly answer: (printed: unknown) => Promise<void>;
  readonly print: (printed: unknown) => void;
} {
  const asked: string[] = [];
  const waiting: ((printed: string) => void)[] = [];
  let news: () => void = () => undefined;
  const made = new EvidenceChecks(
    (planId) => {
      asked.push(planId);
      return new Promise((resolve) => waiting.push(resolve));
    },
    () => news(),
  );
  const print = (printed: unknown): void =>
    waiting.shift()?.(typeof printed === 'string' ? printed : JSON.stringify(printed));
  return {
    checks: made,
    asked,
    answer: async (printed) => {
      await turn();
      const told = new Promise<void>((resolve) => (news = resolve));
      print(printed);
      await told;
    },
    print,
  };
}

describe('the evidence of a mission that is looked at', () => {
  const done = missionOf('0.1.0/done');
  const dir = 'docs/ops/executions/done';

  it('is verified once, and again when the mission is opened again or its journal went on', async () => {
    const { checks: all, asked, answer } = checks();
    assert.deepEqual(all.of(done, false), {
      standing: 'unknown',
      text: 'Evidence is being verified',
      dir,
      findings: [],
    });
    all.of(done, false);
    await answer(holds);
    assert.equal(all.of(done, false)?.standing, 'good');
    assert.deepEqual(asked, ['done']);
    all.opened('done');
    assert.equal(all.of(done, false)?.standing, 'unknown');
    const hint = 'Only the format differs: a formatter rewrote the file.';
    await answer({ valid: false, findings: [{ ...broken, hint }] });
    assert.deepEqual(all.of(done, false), {
      standing: 'bad',
      text: 'Evidence does not hold: 1 finding',
      dir,
      findings: [`TASK_DIGEST_MISMATCH TASK_T1.json: It has another digest than the header says. ${hint}`],
    });
    all.of({ ...done, last_seq: done.last_seq + 1 }, false);
    await answer(holds);
    assert.deepEqual(asked, ['done', 'done', 'done']);
  });

  it('shows the answer to a person who asks, at once, and never the verdict from before', async () => {
    const { checks: all, asked, answer } = checks();
    all.of(done, false);
    await answer(holds);
    const printed = all.asked('done');
    assert.equal(all.of(done, false)?.standing, 'unknown');
    await answer({ valid: false, findings: [broken] });
    assert.deepEqual(JSON.parse(await printed), { valid: false, findings: [broken] });
    assert.equal(all.of(done, false)?.standing, 'bad');
    assert.deepEqual(asked, ['done', 'done']);
  });

  it('is verified anew after a file of it changed, and an answer from before the change is dropped', async () => {
    const { checks: all, asked, answer, print } = checks();
    all.of(done, false);
    await answer(holds);
    all.written('other');
    assert.equal(all.of(done, false)?.standing, 'good');
    all.written('done');
    assert.equal(all.of(done, false)?.standing, 'unknown');
    await turn();
    all.written('done');
    all.of(done, false);
    all.written('done');
    all.of(done, false);
    print(holds);
    await turn();
    assert.equal(all.of(done, false)?.standing, 'unknown');
    await answer({ valid: false, findings: [broken] });
    assert.equal(all.of(done, false)?.standing, 'bad');
    assert.equal(asked.length, 3);
  });

  it('is not verified while the mission goes on', () => {
    const { checks: all, asked } = checks();
    assert.equal(all.of(missionOf('0.1.0/blocked'), false), undefined);
    assert.deepEqual(asked, []);
  });

  it('of an execution that was archived is judged by what was found in the archive', async () => {
    const { checks: all, answer } = checks();
    all.of(done, true);
    await answer({ valid: false, findings: [broken] });
    const archived = all.of(done, true);
    assert.deepEqual([archived?.standing, archived?.dir], ['good', `${dir}/archive/${done.mission_id}`]);
    all.opened('done');
    all.of(done, true);
    await answer({ valid: false, findings: [{ ...broken, file: `archive/${done.mission_id}/TASK_T1.json` }] });
    assert.equal(all.of(done, true)?.standing, 'bad');
  });

  it('that no journal here knows of holds by itself, and the verdict says so', async () => {
    const { checks: all, answer } = checks();
    all.ofPlan('elsewhere', null);
    const absent = { code: 'JOURNAL_ABSENT', severity: 'info', file: '', message: '' };
    await answer({ valid: true, findings: [absent] });
    assert.deepEqual(all.ofPlan('elsewhere', null), {
      standing: 'plain',
      text: 'Evidence verified; no journal here knows of it',
      dir: 'docs/ops/executions/elsewhere',
      findings: [],
    });
  });

  it('that could not be verified is unknown, with the reason and nothing of what else was printed', async () => {
    for (const printed of ['spawn ENOENT', '{"valid": "yes"}', '[1]', '{"valid": true, "findings": [7]}']) {
      const { checks: all, answer } = checks();
      all.of(done, false);
      await answer(`${printed}\nsecond line`);
      assert.deepEqual(all.of(done, false), {
        standing: 'unknown',
        text: `Evidence could not be verified: ${printed}`,
        dir,
        findings: [],
      });
    }
  });
});
