import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extensionPage } from '../../scripts/extensionPage.mjs';

describe('the page of the extension in VS Code', () => {
  const page = extensionPage((file) => readFileSync(file));
  const withoutCode = page.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');
  const targets = [...withoutCode.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
  const headings = [...withoutCode.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);

  it('begins with what a user gets, then with what its reader does next: no step installs what is installed', () => {
    assert.match(page.slice(0, 100), /^# Mission Control\n\nRun approved, /);
    assert.deepEqual(headings.slice(0, 3), ['Mission Control', 'Why', 'First mission']);
    assert.ok(!headings.includes('From a clone'));
    const [, first = ''] = /\n## First mission\n([^]*?)\n## /.exec(page) ?? [];
    assert.match(first, /^\nOpen a folder [^]*\n1\. Run \*Mission Control: Doctor\*/);
    assert.doesNotMatch(first, /clone|install/i);
    assert.ok(!page.slice(0, page.indexOf('\n## Guide\n')).includes('npm ci'));
  });

  it('needs no other file: it has no picture, and links lead into it or to the web', () => {
    const others = targets.filter((target) => !/^(https:|#[\w-]+$)/.test(target));
    assert.deepEqual(others, []);
    assert.ok(!/!\[|<img|<details|media\//.test(page));
  });

  it('has every guide page as a chapter to which the table of features leads', () => {
    const titles = ['Plans', 'Approval', 'Sandbox', 'Evidence', 'In CI, over SSH and in scripts', 'Where data lies'];
    for (const title of titles) assert.ok(page.includes(`\n## ${title}\n`), title);
    for (const anchor of ['plans', 'approval', 'sandbox', 'in-ci-over-ssh-and-in-scripts', 'where-data-lies'])
      assert.ok(targets.includes(`#${anchor}`), anchor);
  });

  it('numbers an anchor that comes again, and reads no heading in code', () => {
    assert.equal(
      made(
        '# A\n\n```\n# Plans\n```\n\n## Plans\n\n[p](docs/guide/plans.md) [q](src/x.ts)![r](r.png)\n\n  ![s](s.png)\n',
        '# Plans\n\n[a](../../README.md)\n',
      ),
      '# A\n\n```\n# Plans\n```\n\n## Plans\n\n[p](#plans-1) q\n\n## Guide\n\n| [P](#plans-1) | x |\n\n## Plans\n\n[a](#a)\n',
    );
  });

  it('keeps the order of README.md, without the paragraph that leads to a section that is left out', () => {
    assert.equal(
      made(
        '# A\n\nAll.\n\n## Why\n\nSo.\n\n## First mission\n\nBuild it [in a clone](#from-a-clone).\n\nOpen.\n\n## From a clone\n\n```\nbuild\n```\n',
        '# Plans\n\n[b](../getting-started.md#here)\n',
      ),
      '# A\n\nAll.\n\n## Why\n\nSo.\n\n## First mission\n\nOpen.\n\n## Guide\n\n| [P](#plans) | x |\n\n## Plans\n\n[b](#first-mission)\n',
    );
  });

  it('has a changelog beside it that needs no other file either, because VS Code shows it as a tab', () => {
    const text = readFileSync('CHANGELOG.md', 'utf8');
    const found = [...text.matchAll(/\]\(([^)]*)\)|<(?:img|a) /g)].map(([whole, target]) => target ?? whole);
    assert.deepEqual(
      found.filter((target) => !target.startsWith('https:')),
      [],
    );
  });
});

/** Returns the page of a README and of a guide that has one chapter. */
function made(readme: string, plans: string): string {
  const files: Readonly<Record<string, string>> = {
    'README.md': readme,
    'docs/guide/README.md': '# Guide\n\n| [P](plans.md) | x |\n',
    'docs/guide/plans.md': plans,
  };
  return extensionPage((file) => Buffer.from(files[file] ?? ''));
}
