import assert from 'node:assert/strict';
import { ledgerStatuses, missionStatuses } from '../../../src/contracts/vocabulary/execution';
import {
  missionWord,
  missionWords,
  taskSentence,
  taskWord,
  taskWords,
  blockWord,
  shownCode,
} from '../../../src/base/text/words';

describe('words of states', () => {
  it('are the same word everywhere', () => {
    assert.deepEqual(
      missionStatuses.map((status) => missionWords[status]),
      ['planned', 'running', 'paused', 'blocked', 'completed', 'failed', 'canceled'],
    );
    assert.deepEqual(
      ledgerStatuses.map((status) => taskWords[status]),
      ['to do', 'running', 'blocked', 'done', 'failed', 'canceled'],
    );
    assert.equal(missionWord({ status: 'running', interrupted: true, needs: null }), 'interrupted');
  });

  it('tell a stopped task as stopped, without the code of its packet', () => {
    const code = 'MISSING_REQUIRED_INPUT';
    const stopped = { task_id: 'T1', status: 'blocked', stopped: true, code, reason: 'Stopped by Ada: lunch' } as const;
    assert.deepEqual([taskWord(stopped), shownCode(stopped)], ['stopped', null]);
    assert.equal(taskSentence(stopped), 'Task T1 was stopped by Ada: lunch');
    assert.equal(
      taskSentence({ ...stopped, reason: 'Its terminal was closed.' }),
      'Task T1 is stopped: Its terminal was closed.',
    );
  });

  it('leave out the code of a failed command, because its sentence says more', () => {
    const task = { task_id: 'T1', status: 'blocked', code: 'ACCEPTANCE_FAILED', reason: 'It exited with 3.' } as const;
    assert.equal(shownCode(task), null);
    assert.equal(taskSentence(task), 'Task T1 is blocked: It exited with 3.');
    assert.deepEqual([task, { ...task, stopped: true }, { ...task, code: 'TASK_TIMEOUT' }].map(blockWord), [
      null,
      'stopped',
      'deadline passed',
    ]);
  });

  it('name the code of what is blocked or failed', () => {
    const task = { task_id: 'T1', code: 'TASK_TIMEOUT', reason: 'No sign of life.' };
    assert.equal(
      taskSentence({ ...task, status: 'blocked' }, 'task'),
      'task T1 is blocked (TASK_TIMEOUT): No sign of life.',
    );
    assert.equal(taskSentence({ ...task, status: 'failed' }), 'Task T1 failed (TASK_TIMEOUT): No sign of life.');
    assert.equal(taskSentence({ task_id: 'T1', status: 'done', code: null, reason: '' }), 'Task T1 is done.');
  });
});
