import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { CliBed, decision, start, type Ended, type Printed } from './cliBed';
import { skipWithReason } from '../support/skip';

interface Written extends Printed {
  readonly carried: readonly string[];
  readonly again: readonly { readonly task_id: string; readonly reason: string }[];
  readonly left: readonly string[];
}

/** A task is carried over only while everything that it left is as it left it: not only the bytes of files. */
describe('mission plan revise, where what a task left has changed since', function () {
  let bed: CliBed;
  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'links and modes of files are those of POSIX');
  });
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const place = (plan: string): string => `docs/plans/PLAN_${plan}.json`;
  const messages = ({ json }: Ended): string => JSON.stringify(json.files[0]?.findings ?? json);
  const odd = ['ü ä.txt', 'a\nb.txt', '-x "q" $(id) `x`.txt', '__proto__', 'con\u202etxt'];
  const leaves = `${start}
    fs.writeFileSync('docs/out/a.txt', 'a');
    fs.writeFileSync('docs/out/run.sh', 'run'); fs.chmodSync('docs/out/run.sh', 0o755);
    fs.chmodSync('docs/out/mode.sh', 0o755);
    fs.symlinkSync('a.txt', 'docs/out/link');
    fs.unlinkSync('docs/out/relink'); fs.symlinkSync('x -> y', 'docs/out/relink');
    fs.unlinkSync('docs/out/turned'); fs.symlinkSync('a.txt', 'docs/out/turned');
    fs.unlinkSync('docs/out/away'); fs.unlinkSync('docs/out/linkaway');
    for (const name of ${JSON.stringify(odd)}) fs.writeFileSync('docs/out/' + name, 'odd');`;

  it('has the task done again, and names the file and the reason, also for links, modes and odd names', async () => {
    for (const name of ['mode.sh', 'turned', 'away']) bed.write(`docs/out/${name}`, `${name} before`);
    symlinkSync('before', bed.at('docs/out/relink'));
    symlinkSync('before', bed.at('docs/out/linkaway'));
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'before');
    const plan = bed.plan('s', [
      { script: leaves },
      { script: `${start}process.exit(7);`, depends_on: ['T1'], paths: ['docs/other/'] },
    ]);
    const ended = await bed.mission('run', plan);
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    const fine = (await bed.mission('plan', 'revise', 's')).json as Written;
    assert.deepEqual([fine.carried, fine.again], [['T1'], []]);
    const validate = (): Promise<Ended> => bed.mission('plan', 'validate', place('s-r2'));
    assert.equal(messages(await validate()).includes('CARRIED_REFUSED'), false, 'nothing has changed yet');

    const out = (name: string): string => bed.at(`docs/out/${name}`);
    const relink = (name: string, target: string) => (): void => {
      rmSync(out(name), { recursive: true });
      symlinkSync(target, out(name));
    };
    const file = (name: string, text: string) => (): void => {
      rmSync(out(name), { recursive: true, force: true });
      bed.write(`docs/out/${name}`, text);
    };
    const aside = bed.at('aside');
    const gone = (name: string) => ({
      change: () => renameSync(out(name), aside),
      back: () => renameSync(aside, out(name)),
    });
    const cases: readonly [what: string, says: RegExp, change: () => void, back: () => void][] = [
      [
        'a link that leads elsewhere',
        /docs\/out\/link leads to README\.md now, and to a\.txt before/,
        relink('link', 'README.md'),
        relink('link', 'a.txt'),
      ],
      ['a link that is gone', /docs\/out\/link is gone/, gone('link').change, gone('link').back],
      [
        'a link that is a file now',
        /docs\/out\/link is a file now, and was a link/,
        file('link', 'a'),
        relink('link', 'a.txt'),
      ],
      [
        'a changed link, changed once more',
        /docs\/out\/relink leads to before now/,
        relink('relink', 'before'),
        relink('relink', 'x -> y'),
      ],
      [
        'a file turned into a link, and back',
        /docs\/out\/turned is a file now, and was a link/,
        file('turned', 'turned before'),
        relink('turned', 'a.txt'),
      ],
      [
        'a file that is a link now',
        /docs\/out\/a\.txt is a link now, and was a file/,
        relink('a.txt', 'run.sh'),
        file('a.txt', 'a'),
      ],
      [
        'a file that is a folder now',
        /docs\/out\/a\.txt is a folder now, and was a file/,
        () => {
          unlinkSync(out('a.txt'));
          mkdirSync(out('a.txt'));
        },
        file('a.txt', 'a'),
      ],
      ['a file that is gone', /docs\/out\/a\.txt is gone/, gone('a.txt').change, gone('a.txt').back],
      ['other content', /docs\/out\/a\.txt has another content/, file('a.txt', 'b'), file('a.txt', 'a')],
      [
        'a new file that nobody can execute any more',
        /docs\/out\/run\.sh has mode 644 now, and had 755/,
        () => chmodSync(out('run.sh'), 0o644),
        () => chmodSync(out('run.sh'), 0o755),
      ],
      [
        'a file that can be executed now',
        /docs\/out\/a\.txt has mode 755 now, and had 644/,
        () => chmodSync(out('a.txt'), 0o755),
        () => chmodSync(out('a.txt'), 0o644),
      ],
      [
        'a changed mode that was taken back',
        /docs\/out\/mode\.sh has mode 644 now, and had 755/,
        () => chmodSync(out('mode.sh'), 0o644),
        () => chmodSync(out('mode.sh'), 0o755),
      ],
      [
        'a removed file that is there again',
        /docs\/out\/away is a file now, and was gone at the end of the task/,
        file('away', 'x'),
        () => rmSync(out('away')),
      ],
      [
        'a removed file where a link is',
        /docs\/out\/away is a link now, and was gone at the end of the task/,
        () => symlinkSync('nowhere', out('away')),
        () => rmSync(out('away')),
      ],
      [
        'a removed link that is there again',
        /docs\/out\/linkaway is a link now, and was gone at the end of the task/,
        () => symlinkSync('before', out('linkaway')),
        () => rmSync(out('linkaway')),
      ],
      ...odd.map((name): [string, RegExp, () => void, () => void] => [
        `the name ${JSON.stringify(name)}`,
        /docs\/out\/.* has another content/,
        file(name, 'b'),
        file(name, 'odd'),
      ]),
      [
        'the folder behind a link',
        /docs\/out\/.* is reached through a link now/,
        () => {
          renameSync(out(''), aside);
          symlinkSync(aside, bed.at('docs/out'));
        },
        () => {
          unlinkSync(bed.at('docs/out'));
          renameSync(aside, bed.at('docs/out'));
        },
      ],
    ];
    const unseen: string[] = [];
    for (const [what, says, change, back] of cases) {
      change();
      const told = messages(await validate());
      back();
      if (!told.includes('CARRIED_REFUSED') || !says.test(told)) unseen.push(`${what}: ${told.slice(0, 400)}`);
    }
    assert.deepEqual(unseen, []);
    assert.equal(messages(await validate()).includes('CARRIED_REFUSED'), false, 'everything is back');

    relink('link', 'README.md')();
    const revised = (await bed.mission('plan', 'revise', 's')).json as Written;
    assert.deepEqual(revised.carried, []);
    assert.match(revised.again[0]?.reason ?? '', /^docs\/out\/link leads to README\.md now, and to a\.txt before$/);
    relink('link', 'a.txt')();
    const approved = await bed.mission('plan', 'approve', place('s-r2'), '--by', 'Grace', '--yes');
    assert.equal(approved.code, 0, approved.stdout);
    chmodSync(out('run.sh'), 0o644);
    const late = await bed.mission('run', place('s-r2'));
    assert.deepEqual([late.code, late.json.code], [1, 'PLAN_INVALID'], late.stdout);
    assert.match(late.json.reason, /run\.sh has mode 644 now, and had 755/);
  });

  it('a file whose name is no text is found by its bytes, and its task is carried over', async () => {
    const script = `${start}
      fs.writeFileSync(Buffer.concat([Buffer.from('docs/out/x'), Buffer.from([0xff])]), 'x');`;
    const plan = bed.plan('n', [{ script }, { script: `${start}process.exit(7);`, paths: ['docs/other/'] }]);
    assert.equal((await bed.mission('run', plan)).code, 3);
    const revised = (await bed.mission('plan', 'revise', 'n')).json as Written;
    assert.deepEqual(revised.carried, ['T1']);
    const changed = async (): Promise<readonly string[]> =>
      (await bed.mission('evidence', 'verify', 'n')).json.findings.flatMap(({ code, message }) =>
        code === 'OUTPUT_CHANGED_SINCE' ? [message] : [],
      );
    assert.deepEqual(await changed(), []);
    writeFileSync(Buffer.concat([Buffer.from(bed.at('docs/out/x')), Buffer.from([0xff])]), 'y');
    assert.match((await changed()).join(), /Not as task T1 left it: it has another content/);
  });

  it('names a link outside the approved paths as long as it lies there, and no longer', async () => {
    const plan = bed.plan('v', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.symlinkSync('README.md', 'outside');` },
    ]);
    assert.equal((await bed.mission('run', plan)).json.code, 'CONCURRENCY_CONFLICT');
    assert.deepEqual(((await bed.mission('plan', 'revise', 'v')).json as Written).left, ['outside']);
    rmSync(bed.at('outside'));
    assert.deepEqual(((await bed.mission('plan', 'revise', 'v')).json as Written).left, []);
  });

  it('the evidence of the revision says it as well when they change later', async () => {
    const script = `${start}fs.symlinkSync('a', 'docs/out/link'); fs.writeFileSync('docs/out/run.sh', 'x', { mode: 0o755 });`;
    const plan = bed.plan('e', [{ script }, { script: `${start}process.exit(7);`, paths: ['docs/other/'] }]);
    assert.equal((await bed.mission('run', plan)).code, 3);
    assert.equal((await bed.mission('plan', 'revise', 'e')).code, 0);
    assert.equal((await bed.mission('plan', 'approve', place('e-r2'), '--by', 'Grace', '--yes')).code, 0);
    assert.equal((await bed.mission('run', place('e-r2'))).code, 3);
    assert.equal((await bed.mission('skip', 'e-r2', 'T2', '--yes', ...decision)).code, 0);
    const verify = async (): Promise<readonly string[]> =>
      (await bed.mission('evidence', 'verify', 'e-r2')).json.findings.map(
        (finding) => `${finding.code} ${(finding as unknown as { message: string }).message}`,
      );
    assert.deepEqual(await verify(), []);
    unlinkSync(bed.at('docs/out/link'));
    symlinkSync('b', bed.at('docs/out/link'));
    chmodSync(bed.at('docs/out/run.sh'), 0o644);
    assert.deepEqual(await verify(), [
      'OUTPUT_CHANGED_SINCE Not as task T1 left it: it leads to b now, and to a before.',
      'OUTPUT_CHANGED_SINCE Not as task T1 left it: it has mode 644 now, and had 755.',
    ]);
  });
});
