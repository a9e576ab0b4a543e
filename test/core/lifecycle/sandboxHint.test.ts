import assert from 'node:assert/strict';
import { linkMet, sandboxHint } from '../../../src/core/lifecycle/sandboxHint';

type Attempt = Parameters<typeof sandboxHint>[0];
type End = Parameters<typeof sandboxHint>[2];

const attempt = {
  launches: [
    {
      run_dir: 'r1',
      prepared: {
        sandbox: {
          ...{ means: 'bubblewrap', argv: [], coarser: [], network: false, folders: [] },
          held: ['out/linked.js', 'node_modules/.pnpm'],
        },
      },
    },
  ],
} as unknown as Attempt;

describe('why a command may have failed in its sandbox', () => {
  const cases: readonly (readonly [says: string, stderr: string, hint: RegExp])[] = [
    [
      'a hard link that was to be written',
      "EROFS: read-only file system, open 'out/linked.js'",
      /met out\/linked\.js, which/,
    ],
    [
      'one that was to be replaced',
      "mv: cannot move 'x' to 'out/linked.js': Device or resource busy",
      /met out\/linked\.js, which/,
    ],
    [
      'one of a package manager',
      'open /ws/node_modules/.pnpm/a/i.js: Read-only file system',
      /^It may have met node_modules\/\.pnpm, which.*`package-import-method=copy`/,
    ],
    ['another file', "EROFS: read-only file system, open 'src/a.js'", /^ It may have met the edge of its sandbox/],
    ['a hard link that is only named', 'out/linked.js: syntax error', /^$/],
  ];
  for (const [says, stderr_tail, hint] of cases)
    it(says, () =>
      assert.match(
        `${sandboxHint(attempt, 'r1', { stderr_tail } as End)}${linkMet(attempt, 'r1', { stderr_tail } as End).join()}`,
        hint,
      ),
    );
});
