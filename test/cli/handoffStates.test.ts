import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, type Ended } from './cliBed';

/** Kinds, modes and links that a done task leaves, in another clone: `dist/cli.js` and git as real processes. */
describe('mission handoff: kinds, modes and targets of links', function () {
  this.timeout(180_000);
  let bed: CliBed;
  let there: string;
  let handoff: string;
  before(async () => {
    bed = new CliBed();
    bed.write('scripts/run.sh', '#!/bin/sh\n');
    bed.write('scripts/own.sh', '#!/bin/sh\n');
    bed.write('docs/out/old.txt', 'old\n');
    const left = [
      "fs.chmodSync('scripts/run.sh', 0o755);",
      "fs.writeFileSync('docs/out/a.txt', 'a\\n');",
      "fs.writeFileSync('docs/out/data.bin', Buffer.from([0, 1, 13, 10, 255, 0]));",
      "fs.writeFileSync('docs/out/it is new.sh', 'new\\n', { mode: 0o755 });",
      "fs.symlinkSync('a.txt', 'docs/out/link');",
      "fs.rmSync('docs/out/old.txt');",
    ].join(' ');
    const plan = bed.plan('run', [
      { script: `${start}${left}`, paths: ['docs/out/', 'scripts/'] },
      { script: `${start}process.exit(7);`, depends_on: ['T1'] },
    ]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stderr);
    handoff = path.join(bed.scratch, 'handoff');
    assert.equal((await bed.mission('handoff', 'export', 'run', '--out', handoff)).code, 0);
  });
  beforeEach(() => {
    there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
  });
  afterEach(() => rmSync(there, { recursive: true, force: true }));
  after(() => bed.dispose());

  const at = (name: string): string => path.join(there, name);
  const resume = (...args: string[]): Promise<Ended> =>
    bed.mission('handoff', 'resume', handoff, ...args, ...decision, '--workspace', there);
  const apply = (): void =>
    void execFileSync('git', ['apply', path.join(handoff, 'changes.diff')], { cwd: there, stdio: 'pipe' });
  const isExecutable = (name: string): boolean => (statSync(at(name)).mode & 0o111) !== 0;
  const assertWhole = (ended: Ended): void => {
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    assert.deepEqual(
      ended.json.mission.tasks.map(({ status }) => status),
      ['done', 'blocked'],
    );
    assert.ok(isExecutable('scripts/run.sh') && isExecutable('docs/out/it is new.sh'));
    assert.ok(!isExecutable('docs/out/a.txt'));
    assert.equal(readlinkSync(at('docs/out/link')), 'a.txt');
    assert.deepEqual([...readFileSync(at('docs/out/data.bin'))], [0, 1, 13, 10, 255, 0]);
    assert.equal(lstatSync(at('docs/out/old.txt'), { throwIfNoEntry: false }), undefined);
  };

  it('carries a mode alone over with --apply-diff, beside other changes', async () => {
    assertWhole(await resume('--apply-diff'));
  });

  it('carries a mode alone over with git apply, and by another umask', async () => {
    apply();
    for (const name of ['scripts/run.sh', 'docs/out/it is new.sh']) chmodSync(at(name), 0o700);
    for (const name of ['scripts/own.sh', 'docs/out/a.txt', 'docs/out/data.bin']) chmodSync(at(name), 0o600);
    assertWhole(await resume());
  });

  const replaced = (name: string, make: (file: string) => void): void => {
    rmSync(at(name));
    make(at(name));
  };
  const spoiled: Readonly<Record<string, readonly [spoil: () => void, said: RegExp, command: string]>> = {
    'a mode that was lost': [
      () => chmodSync(at('scripts/run.sh'), 0o644),
      /scripts\/run\.sh has mode 0644 now, and had 755/,
      'chmod +x scripts/run.sh',
    ],
    'a file that may be executed now': [
      () => chmodSync(at('docs/out/a.txt'), 0o755),
      /docs\/out\/a\.txt has mode 0755 now, and had 644/,
      'chmod a-x docs/out/a.txt',
    ],
    'a link that leads elsewhere': [
      () => replaced('docs/out/link', (file) => symlinkSync('data.bin', file)),
      /docs\/out\/link leads to data\.bin now, and to a\.txt before/,
      'rm docs/out/link && ln -s -- a.txt docs/out/link',
    ],
    'a link that became a file with the same bytes': [
      () => replaced('docs/out/link', (file) => writeFileSync(file, 'a\n')),
      /docs\/out\/link is a file now, and was a link/,
      'rm docs/out/link && ln -s -- a.txt docs/out/link',
    ],
    'a file that became a link to the same bytes': [
      () =>
        replaced('docs/out/a.txt', (file) => {
          writeFileSync(at('same.txt'), 'a\n');
          symlinkSync('../../same.txt', file);
        }),
      /docs\/out\/a\.txt is a link now, and was a file/,
      'rm docs/out/a.txt && cp SOURCE/docs/out/a.txt docs/out/a.txt',
    ],
    'a file that is there again': [
      () => writeFileSync(at('docs/out/old.txt'), 'old\n'),
      /docs\/out\/old\.txt is a file now, and was gone at the end of the task/,
      'rm docs/out/old.txt',
    ],
    'a file that is gone': [
      () => rmSync(at('docs/out/it is new.sh')),
      /docs\/out\/it is new\.sh is gone/,
      "mkdir -p docs/out && cp 'SOURCE/docs/out/it is new.sh' 'docs/out/it is new.sh' && chmod +x 'docs/out/it is new.sh'",
    ],
  };
  it('takes no task for done when one of these is otherwise, and each named command mends it', async () => {
    apply();
    for (const [what, [spoil, said, command]] of Object.entries(spoiled)) {
      spoil();
      // The rest of the diff is there, so it does not apply.
      const refused = await resume(...(what === 'a mode that was lost' ? ['--apply-diff'] : []));
      assert.deepEqual([refused.code, refused.json.code], [2, 'LEDGER_INCONSISTENT'], `${what}: ${refused.stdout}`);
      assert.match(refused.json.reason, /^1 output\(s\) of done tasks are not in this tree as they were left: /);
      assert.match(refused.json.reason, said);
      assert.ok(refused.json.next.includes(command), refused.json.next.join('\n'));
      follow(refused);
    }
    assertWhole(await resume());
  });

  /** The commands of a refusal, literally, in a shell; SOURCE is the workspace of the run. */
  function follow({ json }: Ended): void {
    const commands = json.next.filter((step) => /^(cp|chmod|ln|mkdir|rm|rmdir) /.test(step));
    assert.ok(commands.length > 0, json.next.join('\n'));
    const source = path.join(bed.scratch, 'source');
    rmSync(source, { force: true });
    symlinkSync(bed.root, source);
    for (const command of commands)
      execFileSync('/bin/sh', ['-ec', command.replaceAll('SOURCE/', `${source}/`)], { cwd: there, stdio: 'pipe' });
  }

  it('says for each path what it must be, and its steps lead on where the diff does not apply', async () => {
    for (const name of ['docs/out', 'docs/plans']) rmSync(at(name), { recursive: true });
    rmSync(at('scripts/run.sh'));
    mkdirSync(at('docs/out/link'), { recursive: true });
    const refused = await resume('--apply-diff');
    assert.deepEqual([refused.code, refused.json.code], [2, 'LEDGER_INCONSISTENT'], refused.stdout);
    const [words = ''] = refused.json.next;
    for (const each of [
      'docs/out/a.txt (a file)',
      'docs/out/data.bin (a file)',
      '"docs/out/it is new.sh" (an executable file)',
      'docs/out/link (a link to a.txt)',
      'scripts/run.sh (an executable file)',
    ])
      assert.ok(words.includes(each), words);
    follow(refused);
    const again = refused.json.next.find((step) => step.startsWith('mission handoff resume ')) ?? '';
    assertWhole(await resume(...again.split(' ').filter((word) => word === '--apply-diff')));
  });
});
