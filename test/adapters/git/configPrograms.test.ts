import assert from 'node:assert/strict';
import { programSettings } from '../../../src/adapters/git/facts';

describe('settings that make git start a program', () => {
  it('are found however they are written', () => {
    assert.deepEqual(programSettings('[core]\n\thooksPath = .husky\n[Alias]\n  st = !sh -c evil\n'), [
      'core.hookspath=.husky',
      'alias.st=!sh -c evil',
    ]);
    assert.deepEqual(programSettings('[filter "a.b"] clean = x\n\tSMUDGE=y\r\n'), [
      'filter.a.b.clean=x',
      'filter.a.b.smudge=y',
    ]);
    assert.deepEqual(programSettings('[core]\n\tfsmon\\\nitor = x\n'), ['core.fsmonitor=x']);
    assert.deepEqual(programSettings('[include]\npath=../other\n[includeIf "gitdir:~/x/"]\npath = y'), [
      'include.path=../other',
      'includeif.gitdir:~/x/.path=y',
    ]);
    assert.deepEqual(programSettings('[diff "pdf"]\ntextconv = sh\n[credential]\nhelper = !x'), [
      'diff.pdf.textconv=sh',
      'credential.helper=!x',
    ]);
  });

  it('are not what people and tools write in passing', () => {
    const text =
      '[core]\nbare = false\n[remote "origin"]\nurl = x\nfetch = +y\n[branch "main"]\nremote = origin\n[user]\nname = alias.x\n# [alias]\n';
    assert.deepEqual(programSettings(text), []);
    for (const value of [' = true', '= false', ' =', ''])
      assert.deepEqual(programSettings(`[core]\nfsmonitor${value}\n`), []);
    assert.deepEqual(programSettings('alias.st = x\n[core\nhooksPath = x\n'), []);
  });
});
