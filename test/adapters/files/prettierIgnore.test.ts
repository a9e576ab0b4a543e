import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingPrettierLines, type PrettierOffer } from '../../../src/adapters/files/prettierIgnore';
import { removeScratch, scratch } from '../scratch';

const all = ['docs/plans/*.json', 'docs/ops/executions/'];

describe('the lines of .prettierignore', () => {
  afterEach(removeScratch);

  const missing = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = await scratch();
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    return (await missingPrettierLines(folder, folder))?.lines ?? [];
  };

  it('are of no use where the repository does not use Prettier', async () => {
    assert.deepEqual(await missing({}), []);
    assert.deepEqual(await missing({ 'package.json': '{"devDependencies": {"eslint": "10"}}' }), []);
    assert.deepEqual(await missing({ 'package.json': 'no JSON', '.prettierignore': 'dist/\n' }), []);
    assert.deepEqual(await missing({ 'package.json': '{"devDependencies": ["prettier"]}' }), []);
  });

  for (const [name, text] of [
    ['.prettierrc', '{}'],
    ['.prettierrc.yaml', ''],
    ['prettier.config.mjs', 'export default {};'],
    ['package.json', '{"prettier": "@house/prettier"}'],
    ['package.json', '{"devDependencies": {"prettier": "3.10.1"}}'],
  ] as const)
    it(`are missing beside ${name} ${text}`, async () => assert.deepEqual(await missing({ [name]: text }), all));

  it('are missing only where no line ignores as much', async () => {
    const beside = (lines: string): Promise<readonly string[]> =>
      missing({ '.prettierrc': '{}', '.prettierignore': lines });
    assert.deepEqual(await beside('dist/\n'), all);
    for (const lines of ['docs\n', '/docs/\r\n', 'docs/**', 'docs/*']) assert.deepEqual(await beside(lines), [], lines);
    assert.deepEqual(await beside('docs/ops\n'), ['docs/plans/*.json']);
    assert.deepEqual(await beside('# docs\ndoc\ndocs/op\n!docs\n\n/\n'), all);
    assert.deepEqual(await beside(all.join('\n')), []);
  });

  it('are missing where a later line takes them back', async () => {
    const [plans, evidence] = all as [string, string];
    const after = (...lines: readonly string[]): Promise<readonly string[]> =>
      missing({ '.prettierrc': '{}', '.prettierignore': [plans, evidence, ...lines].join('\n') });
    assert.deepEqual(await after('!docs/ops/'), [evidence]);
    assert.deepEqual(await after('!docs/plans/PLAN_a.json', 'dist'), [plans]);
    for (const line of ['!docs', '!*.json', '!**/*.json', '!/docs/**']) assert.deepEqual(await after(line), all, line);
    assert.deepEqual(await after('!docs', 'docs'), []);
    for (const line of ['!src', '!docs/guide', '!*.ts', '!docs/opsx', '\\!docs', '!'])
      assert.deepEqual(await after(line), [], line);
  });

  describe('in a folder of a repository', () => {
    const offered = async (
      files: Readonly<Record<string, string>>,
    ): Promise<{ readonly top: string; readonly found: PrettierOffer | null }> => {
      const top = await scratch();
      for (const [name, text] of Object.entries({ 'packages/a b/x': '', ...files })) {
        await mkdir(path.join(top, path.dirname(name)), { recursive: true });
        await writeFile(path.join(top, name), text);
      }
      return { top, found: await missingPrettierLines(path.join(top, 'packages/a b'), top) };
    };
    const lacking = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
      const { top, found } = await offered(files);
      return found && [path.relative(top, found.file), ...found.lines];
    };
    const elsewhere = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
      const { top, found } = await offered(files);
      assert.ok(found);
      return found.elsewhere && [path.relative(top, found.elsewhere.file), ...found.elsewhere.lines];
    };
    const below = ['packages/a b/docs/plans/*.json', 'packages/a b/docs/ops/executions/'];

    it('are for the file at its top, where Prettier is at home', async () => {
      assert.deepEqual(await lacking({ 'package.json': '{"prettier": {}}' }), ['.prettierignore', ...below]);
      assert.deepEqual(await lacking({ 'packages/.prettierrc': '{}' }), [
        'packages/.prettierignore',
        ...below.map((line) => line.slice('packages/'.length)),
      ]);
      assert.equal(await lacking({}), null);
    });

    it('are for the nearest such file that is there already', async () => {
      const top = { 'package.json': '{"prettier": {}}', '.prettierignore': 'dist' };
      assert.deepEqual(await lacking({ ...top, 'packages/a b/.prettierrc': '{}' }), ['.prettierignore', ...below]);
      assert.deepEqual(await lacking({ ...top, 'packages/a b/.prettierignore': '' }), [
        'packages/a b/.prettierignore',
        ...all,
      ]);
      assert.equal(await lacking({ ...top, '.prettierignore': below.join('\n') }), null);
      assert.equal(await lacking({ ...top, '.prettierignore': 'packages/' }), null);
    });

    const scripted = (script: string): string => JSON.stringify({ scripts: { format: script } });
    const ofTop = ['.prettierignore', ...below];
    const ofPackage = ['packages/a b/.prettierignore', ...all];

    it('are for the folder where a script starts Prettier, which reads the file of that folder alone', async () => {
      for (const script of ['prettier --write .', 'eslint . && prettier -c .', 'npx prettier .']) {
        const top = { 'package.json': scripted(script) };
        assert.deepEqual(await lacking({ ...top, 'packages/a b/.prettierignore': '' }), ofTop, script);
        const both = { ...top, 'packages/a b/package.json': scripted('prettier .') };
        assert.deepEqual(await lacking({ ...both, '.prettierignore': 'dist' }), ofPackage, script);
      }
      for (const script of ['echo unprettier', 'eslint --plugin prettier-x', ''])
        assert.equal(await lacking({ 'package.json': scripted(script) }), null, script);
      assert.equal(await lacking({ 'package.json': '{"scripts": ["prettier"]}' }), null);
    });

    it('are for another start where the file of the usual one has them', async () => {
      const top = { 'package.json': scripted('prettier .'), '.prettierignore': 'packages/' };
      assert.deepEqual(await lacking({ ...top, 'packages/a b/.prettierignore': 'dist' }), ofPackage);
      assert.equal(await elsewhere({ ...top, 'packages/a b/.prettierignore': 'dist' }), null);
      assert.equal(await lacking({ ...top, 'packages/a b/.prettierignore': 'docs' }), null);
      const own = { 'packages/a b/package.json': scripted('prettier .'), 'packages/a b/.prettierignore': 'docs' };
      assert.deepEqual(await lacking({ ...own, 'package.json': scripted('prettier .') }), ofTop);
      assert.deepEqual(await lacking({ ...own, '.prettierignore': '' }), ofTop);
      // Neither a script nor such a file shows that Prettier starts there.
      assert.equal(await lacking({ ...top, 'packages/a b/.prettierrc': '{}' }), null);
    });

    it('are named for another start as well, unless its file has them', async () => {
      const top = { 'package.json': '{"prettier": {}}' };
      assert.deepEqual(await elsewhere(top), ofPackage);
      const covered = { 'packages/a b/.prettierignore': 'docs' };
      assert.equal(await elsewhere({ 'package.json': scripted('prettier .'), ...covered }), null);
      const own = { 'packages/a b/package.json': scripted('prettier .') };
      assert.equal(await elsewhere(own), null);
      assert.deepEqual(await elsewhere({ ...top, ...own }), ofTop);
      assert.deepEqual(await elsewhere({ ...own, '.prettierignore': '' }), ofTop);
    });
  });
});
