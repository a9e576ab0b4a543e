import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extensionPage } from '../../scripts/extensionPage.mjs';

describe('the page of the extension in VS Code', () => {
  const page = extensionPage((file) => readFileSync(file));
  const withoutCode = page.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');
  const targets = [...withoutCode.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
  const headings = [...withoutCode.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);

  it('begins with what a user gets, and names no step for a clone of the repository', () => {
    assert.match(page.slice(0, 100), /^# Mission Control\n\nRun approved, /);
    assert.ok(headings.indexOf('Why') < headings.indexOf('First mission'));
    assert.ok(headings.includes('First mission') && !headings.includes('From a clone'));
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
    const files: Readonly<Record<string, string>> = {
      'README.md':
        '# A\n\n```\n# Plans\n```\n\n## Plans\n\n[p](docs/guide/plans.md) [q](src/x.ts)![r](r.png)\n\n  ![s](s.png)\n',
      'docs/guide/README.md': '# Guide\n\n| [P](plans.md) | x |\n',
      'docs/guide/plans.md': '# Plans\n\n[a](../../README.md)\n',
    };
    assert.equal(
      extensionPage((file) => Buffer.from(files[file] ?? '')),
      '# A\n\n```\n# Plans\n```\n\n## Plans\n\n[p](#plans-1) q\n\n## Guide\n\n| [P](#plans-1) | x |\n\n## Plans\n\n[a](#a)\n',
    );
  });
});
