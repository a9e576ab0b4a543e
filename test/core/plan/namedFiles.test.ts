import assert from 'node:assert/strict';
import { namedPathsOf } from '../../../src/core/plan/namedFiles';

describe('files that commands of a plan name', () => {
  it('are arguments, and words within the text of a shell', () => {
    const named = (...command: string[]): readonly string[] => namedPathsOf({ tasks: [{ command }] }, '/home/me/ws');
    assert.deepEqual(named('sh', 'tools/check.sh'), ['sh', 'tools/check.sh']);
    for (const text of [
      'bash tools/s.sh',
      'cd x; bash tools/s.sh&&ls',
      'A=1 bash "tools/s.sh" >out',
      '(bash <tools/s.sh)',
    ])
      assert.ok(named('bash', '-c', text).includes('tools/s.sh'), text);
    for (const [argument, path] of [
      ['run_tests', 'run_tests'],
      ['--import=./tools/hook.mjs', 'tools/hook.mjs'],
      ['--files=a.sh,b.sh', 'b.sh'],
      ['/home/me/ws/tools/s.sh', 'tools/s.sh'],
      ['--import=/home/me/ws/tools/s.sh', 'tools/s.sh'],
      ['@args.txt', 'args.txt'],
    ] as const)
      assert.ok(named('bash', argument).includes(path), argument);
    assert.deepEqual(namedPathsOf({ tasks: [{ command: ['C:\\ws\\tools\\s.cmd', 'tools\\t.cmd'] }] }, 'C:\\ws'), [
      'tools/s.cmd',
      'tools/t.cmd',
    ]);
  });
});
