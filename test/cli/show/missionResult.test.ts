import assert from 'node:assert/strict';
import { terminal } from '../../../src/base/text/marked/terminal';
import { printIgnored, printResult } from '../../../src/cli/show/missionResult';
import type { Output } from '../../../src/cli/shell/output';
import type { IgnoredBy } from '../../../src/contracts/vocabulary/files/evidenceFiles';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { documentText } from '../../../src/base/json';
import { taskEvidenceSchema } from '../../../src/contracts/taskEvidence';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import type { Halt } from '../../../src/engine/mission/listeners';
import { missionView as viewOf } from '../../../src/core/view/mission/missionView';
import { blockView, missionView } from '../../extension/sampleViews';
import { play } from '../../scenarios/play';

const halt: Halt = { code: 'WRITE_FAILED', reason: 'The disk is full.' };

describe('how a mission stands, for a person in a terminal', () => {
  it('a halted one says why, and how it goes on', () => {
    const text = printed(missionView(), halt);
    assert.match(text, /^Mission halted .*: the runner stopped \(WRITE_FAILED\): The disk is full\.$/m);
    assert.match(
      text,
      /^Status {4}mission status p-\S+\nDoctor {4}mission doctor\nGo on {5}mission resume p-\S+ --by NAME --reason TEXT$/m,
    );
  });

  it('one that halted by a mistake of ours says what is left when it halts again', () => {
    const text = printed(missionView(), { code: 'INVARIANT_BROKEN', reason: 'Broken invariant: x.' });
    assert.match(text, /^Go on .*\nIf it stops again: mission cancel p-\S+ --by NAME --reason TEXT$/m);
    assert.doesNotMatch(printed(missionView(), halt), /again/);
  });

  it('one that failed says what comes before anything else runs', () => {
    const text = printed(missionView({ offers: { ...missionView().offers, Acknowledge: true } }), null);
    // Each command stands alone on its line, so that it can be pasted.
    assert.match(text, /^mission acknowledge p-\S+ --by NAME --reason TEXT$/m);
    assert.match(text, /^mission plan revise p-\S+$/m);
    assert.match(text, /^Next, before anything else runs here, /m);
    assert.doesNotMatch(printed(missionView(), null), /acknowledge/);
  });

  it('a mission that halted while it ended offers no step to go on', () => {
    const ending: MissionView['ending'] = { kind: 'completed' } as never;
    const text = printed(missionView({ ending }), halt);
    assert.match(text, /^Doctor {4}mission doctor$/m);
    assert.doesNotMatch(text, /^(?:Go on|Verify)/m);
  });

  it('a mission whose evidence git ignores names the rule and the step', () => {
    const text = printed(missionView(), null, { file: '.gitignore', line: 3, pattern: 'docs/' });
    assert.match(
      text,
      /^Ignored {3}Git does not keep the evidence .*, because line 3 of \.gitignore \(docs\/\) ignores it\.\n {10}Take that line out, or add the evidence with git add --force docs\/ops\/executions\/\S+ once the mission has ended\.$/m,
    );
    assert.doesNotMatch(printed(missionView(), null), /git add/);
  });

  it('a long list of what blocks is cut, with how much is left out and where all of it is', () => {
    const text = (strays: number): string => {
      const changes = Array.from({ length: strays }, (_, n) => `docs/${n}.md`);
      const { mission } = play({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { changes } } });
      return printed(viewOf(mission, [], new Map(), true), null);
    };
    assert.match(text(65), /^ {4}- and \d+ more: mission packet show \S+$/m);
    assert.equal(text(65).match(/^ {4}- added|^ {4}- modified/gm)?.length, 20);
    assert.doesNotMatch(text(3), /more: mission packet show/);
  });

  it('a task that was validated again counts its attempts apart from its validations', () => {
    const again = { at: 'idle', command: { type: 'RerunValidation', task_id: 'T1' } } as const;
    const { mission } = play({
      tasks: [{ task_id: 'T1', verify: [['a']] }],
      world: { 'T1#1': { verify: [1] }, 'T1#2': { verify: [1] } },
      script: [again, again],
    });
    assert.match(
      printed(viewOf(mission, [], new Map(), true), null),
      /^ {2}T1 +done +command +1 attempt and 2 validations /m,
    );
  });

  it('a task that was done before a handoff says how it was verified there', () => {
    const { mission } = play({ tasks: [{ task_id: 'T1', verify: [['a'], ['b']] }] });
    const rows = mission.rows.map((row) => {
      const { attempts = [] } = taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row))));
      return { ...row, attempts: [], carried: { attempts, relaunches: [], category: null, sha256: null } };
    });
    assert.match(printed(viewOf({ ...mission, rows }, [], new Map(), true), null), /^ {2}T1 +done .* verify 2\/2/m);
  });

  it('the decision about a block stands behind the details that it is about', () => {
    const blocks = [blockView({ details: ['added x'], decided: 'Left blocked by Ann: later' })];
    assert.match(printed(missionView({ blocks }), null), /^ {4}- added x\n {2}Left blocked by Ann: later$/m);
  });

  it('a block that waits for a time says until when', () => {
    const blocks = [blockView({ goes_on_at: '2026-01-01T14:05:00Z' })];
    assert.match(
      printed(missionView({ blocks }), null),
      /^Task T2 waits .*\n {2}It goes on by itself at 2026-01-01 14:05 UTC, as the approved plan says\.$/m,
    );
  });

  it('a mission that did not halt shows neither reason nor step', () => {
    assert.doesNotMatch(printed(missionView(), null), /halted|^(?:Go on|Doctor)/m);
  });
});

function printed(view: MissionView, halted: Halt | null, ignored: IgnoredBy | null = null): string {
  const lines: string[] = [];
  const out: Pick<Output, 'line' | 'paint'> = {
    line: (text = terminal``) => void lines.push(text.toString()),
    paint: (_, text) => terminal`${text}`,
  };
  printResult(view, halted, out as Output);
  if (ignored) printIgnored(view, ignored, out as Output);
  return lines.join('\n');
}
