import assert from 'node:assert/strict';
import { namesNobody, nameOfUser } from '../../src/contracts/vocabulary/actors';

describe('names of the people who decide', () => {
  it('that have no letter or digit, or are a word such as `none` or a worker, stand for no person', () => {
    for (const name of [
      '',
      ' ',
      '-',
      '?',
      '\u200b',
      '/',
      '...',
      ' Auto ',
      'n/a',
      'N/A',
      '«none»',
      'a\u200buto',
      'ｂｏｔ',
      'TBD',
      'AI',
      'NAME',
      '<your name>',
      '{{approver}}',
      '${USER}',
      '$USER',
      '[name]',
      '%USERNAME%',
      'Claude',
      '.auto',
      'a.uto',
      '.claude',
      'mission.control',
      'codex',
      'Claude Code',
      'claude-code',
      'gemini_cli',
      'Codex CLI',
      'github-actions[bot]',
      'dependabot[bot] ',
      'mission-control',
      'Mission Control',
      'runner',
      'Orchestrator',
      'n.a.',
      'nil',
      'pending',
    ])
      assert.equal(namesNobody(name), true, JSON.stringify(name));
    for (const name of [
      'Ada',
      'Ω',
      '李',
      '7',
      'Bot Smith',
      'O’Neill',
      'нина',
      'user bot',
      'Ann <ann@example.org>',
      'Claude Shannon',
      'Ai Weiwei',
      'Na',
      'J.R.',
      'runner-1',
      'Claude Code-Rey',
      'Ada [team bot]',
    ])
      assert.equal(namesNobody(name), false, name);
  });

  it("of the system's user say where they come from when they are such a word", () => {
    const cases = {
      bot: 'user bot',
      Nobody: 'user Nobody',
      auto: 'user auto',
      '': 'unknown user',
      '\u200b': 'unknown user',
    };
    for (const [user, name] of Object.entries({ ...cases, '-': 'unknown user', ada: 'ada', 'runner-1': 'runner-1' })) {
      assert.equal(nameOfUser(user), name);
      assert.equal(namesNobody(nameOfUser(user)), false, name);
    }
  });
});
