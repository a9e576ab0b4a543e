import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutCode, withoutFences } from '../support/markdownText';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/getting-started.md',
  ...globSync('docs/{guide,recipes}/*.md').map((file) => file.split(path.sep).join('/')),
];
const sources = /\w\.(ts|mjs|cjs)$/;
/** What a build or an installation makes: named, and in no list of the repository. */
const made = new Set([
  'supervisor.cjs',
  'dist/supervisor.cjs',
  'node_modules/node',
  'test/tools/sandbox',
  'test/tools/newer-sandbox',
  'test/tools/go',
  'test/tools/postgres',
]);
/** Characters of an entry of the changelog. */
const longestEntry = 160;
/** Entries of one version: a user reads them all, so an entry that says no news to a user has to go. */
const mostEntries = 90;
/** The headings of Keep a Changelog, in its order. */
const changes = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** The files and folders of the sources that a text names in backticks and that are not there; a name may begin anywhere in the path. */
function missingOf(text: string, files: readonly string[]): readonly string[] {
  const names = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)\/?`/g)]
    .map(([, name = '']) => name)
    .filter((name) => sources.test(name) || /^[\w-]+(\/[\w-]+)+$/.test(name));
  const isThere = (name: string): boolean =>
    files.some((file) => `/${file}/`.includes(`/${name}/`) || file.endsWith(`/${name}.ts`));
  return names.filter((name) => !made.has(name) && !isThere(name));
}

/** The names of code that a text gives in backticks and that no source holds. */
function strangeNames(text: string, words: ReadonlySet<string>): readonly string[] {
  const names = [...text.matchAll(/`([A-Za-z_][\w.]*)`/g)].map(([, name = '']) => name);
  return names.filter((name) => !sources.test(name) && name.split('.').some((word) => word !== '' && !words.has(word)));
}

/** The relative links of a Markdown document in `folder` (with `/`) that lead to no file or folder. */
function brokenLinks(text: string, folder: string, files: readonly string[]): readonly string[] {
  const isThere = (name: string): boolean => files.some((file) => file === name || file.startsWith(`${name}/`));
  return [...withoutCode(text).matchAll(/(?:\]\(<?|<img src=")([^)\s>"]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z][\w+.-]*:|#)/i.test(target))
    .filter((target) => {
      const file = path.posix.join(folder, decodeURI(target.replace(/#.*$/, '')));
      return !isThere(file.replace(/\/$/, ''));
    });
}

/** Returns the links of a Markdown document in `folder` that name a heading which its target, read by `read`, lacks. */
function lostAnchors(text: string, file: string, read: (file: string) => string): readonly string[] {
  return [...withoutCode(text).matchAll(/\]\(<?([^)\s>"#]*)#([^)\s>"]+)/g)]
    .filter(([, target = '']) => !/^[a-z][\w+.-]*:/i.test(target))
    .filter(([, target = '', anchor = '']) => {
      const named = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(target));
      return !anchorsIn(read(named)).includes(anchor);
    })
    .map(([, target = '', anchor = '']) => `${target}#${anchor}`);
}

/** Returns the anchors of the headings, as GitHub and VS Code make them. */
function anchorsIn(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Finds what does not have the form of Keep a Changelog: a heading, a line that is no short entry, an entry that comes twice, too many entries. */
function changelogFaults(text: string): readonly string[] {
  const faults: string[] = [];
  const entries = new Set<string>();
  for (const section of text.split(/^(?=## )/m).slice(1)) {
    const [version = '', ...parts] = section.split(/^(?=### )/m);
    if (!/^## (Unreleased|\d+\.\d+\.\d+)\n/.test(version) || /^- /m.test(version)) faults.push(version);
    const { length } = section.match(/^- /gm) ?? [];
    if (length > mostEntries) faults.push(`${version.trim()}: ${length} entries`);
    const headings = parts.map((part) => /^### (.*)\n/.exec(part)?.[1] ?? '');
    if (headings.join() !== changes.filter((heading) => headings.includes(heading)).join())
      faults.push(headings.join());
    for (const entry of parts.flatMap((part) => part.split('\n').slice(1)).filter((line) => line !== '')) {
      if (!/^- [A-Z`*].*\.$/.test(entry) || entry.length > longestEntry || entries.has(entry)) faults.push(entry);
      entries.add(entry);
    }
  }
  return faults;
}

describe('the documents', () => {
  const files = globSync('{*,{.ci,docs,examples,media,schemas,scripts,src,test,webview-ui}/**/*}', {
    exclude: (name) => name === 'node_modules',
  }).map((file) => file.split(path.sep).join('/'));
  const internals = files.filter((file) => /^docs\/internals\/.*\.md$/.test(file));
  const decisions = internals.filter((file) => /\/decisions\/\d{4}-[^/]*$/.test(file));
  const markdown = files.filter((file) => /^(?!test\/tools\/|.*node_modules\/).*\.md$/.test(file));

  for (const document of documents)
    it(`${document} names no file that is gone`, () => {
      assert.deepEqual(missingOf(readFileSync(document, 'utf8'), files), []);
    });

  it('the pages of docs/internals name no file that is gone', () => {
    const missing = internals.flatMap((document) =>
      missingOf(readFileSync(document, 'utf8'), files).map((name) => `${document}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('docs/reports holds bench.md, fleet.md, fleet-engines.md, habitats.md, structure.md and tests.md, and no other page', () => {
    const pages = ['bench.md', 'fleet-engines.md', 'fleet.md', 'habitats.md', 'structure.md', 'tests.md'];
    assert.deepEqual(readdirSync('docs/reports').toSorted(), pages);
  });

  it('a file and a folder that are gone are found', () => {
    const text =
      'See `core/view/gone.ts`, `core/gone`, `core/view/events/eventLine.ts`, `core/view/`, `mission.json` and `a b/c.ts`.';
    assert.deepEqual(missingOf(text, files), ['core/view/gone.ts', 'core/gone']);
  });

  it('a recipe gives no name that the sources lack', () => {
    const texts = globSync('{src,webview-ui/src,scripts,test/{core,scenarios,support}}/**/*.{ts,tsx,mjs,json}');
    const words = new Set(
      [...files, ...texts.map((file) => readFileSync(file, 'utf8'))].flatMap((text) => text.match(/\w+/g) ?? []),
    );
    for (const recipe of files.filter((file) => file.startsWith('docs/internals/recipes/')))
      assert.deepEqual([recipe, ...strangeNames(readFileSync(recipe, 'utf8'), words)], [recipe]);
    const gone = 'nameOfNothing';
    assert.deepEqual(strangeNames(`See \`planFields\`, \`${gone}\` and \`core/view/gone.ts\`.`, words), [gone]);
  });

  it('relative links lead to files', () => {
    const broken = markdown.flatMap((document) =>
      brokenLinks(readFileSync(document, 'utf8'), path.posix.dirname(document), files).map(
        (target) => `${document}: ${target}`,
      ),
    );
    assert.deepEqual(broken, []);
    const text =
      'See [a](gone.md), [b](../glossary.md#lane), [c](../../../src/core/), [d](https://example.org/x), [e](#here), ![f](<none.png>), <img src="gone.png" alt=""> and `[g](code.md)`.\n\n```\n[h](code.md)\n```\n';
    assert.deepEqual(brokenLinks(text, 'docs/internals/decisions', files), ['gone.md', 'none.png', 'gone.png']);
  });

  it('each decision has a row in the table, with its number', () => {
    const table = readFileSync('docs/internals/decisions/README.md', 'utf8');
    const rows = [...table.matchAll(/^\| (\d+) \|.*\(([^)]*)\) \|$/gm)].map(([, number = '', file = '']) => {
      assert.equal(file.slice(0, 4), number.padStart(4, '0'));
      return `docs/internals/decisions/${file}`;
    });
    assert.ok(rows.length > 0);
    assert.deepEqual(rows, decisions.toSorted());
  });

  it('CHANGELOG.md has the form of Keep a Changelog: short entries below known headings, each once', () => {
    const text = readFileSync('CHANGELOG.md', 'utf8');
    assert.match(text, /^# Changelog\n[^]*\n## Unreleased\n[^]*\n- /);
    assert.deepEqual(changelogFaults(text), []);
  });

  it('an entry of the changelog that is long, comes twice, has two lines, no heading or no room is found', () => {
    const long = `- Long${'x'.repeat(160)}.`;
    const of = (...lines: readonly string[]): readonly string[] =>
      changelogFaults(`# Changelog\n\n## Unreleased\n\n${lines.join('\n')}\n`);
    assert.deepEqual(of('### Added', '', '- One.', '- Two.', '', '### Fixed', '', '- Three.'), []);
    assert.deepEqual(of('### Added', long), [long]);
    assert.deepEqual(of('### Added', '- One.', '### Fixed', '- One.'), ['- One.']);
    assert.deepEqual(of('### Added', '- One', '  and two.'), ['- One', '  and two.']);
    assert.deepEqual(of('### Fixed', '### Added'), ['Fixed,Added']);
    assert.deepEqual(of('### News'), ['News']);
    assert.equal(of('- One.', '### Added').length, 1);
    const many = Array.from({ length: mostEntries + 1 }, (_, index) => `- Entry ${index}.`);
    assert.deepEqual(of('### Added', ...many), ['## Unreleased: 91 entries']);
    assert.deepEqual(of('### Added', ...many.slice(1)), []);
    assert.equal(changelogFaults('# Changelog\n\n## Soon\n\n### Added\n').length, 1);
  });

  it('links that name a heading lead to one', () => {
    const lost = markdown.flatMap((document) =>
      lostAnchors(readFileSync(document, 'utf8'), document, (file) => readFileSync(file, 'utf8')).map(
        (target) => `${document}: ${target}`,
      ),
    );
    assert.deepEqual(lost, []);
    const text =
      '# A title, of `two` words\n\n[a](#a-title-of-two-words) [b](#gone) [c](other.md#here) [d](other.md#not)\n';
    const read = (file: string): string => (file === 'docs/x.md' ? text : '# Here\n');
    assert.deepEqual(lostAnchors(text, 'docs/x.md', read), ['#gone', 'other.md#not']);
  });
});
