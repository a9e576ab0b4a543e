import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import { differences, readSources, writeGenerated, type Sources } from '../../scripts/generators.mjs';
import { documentSchemas } from '../../src/contracts/schemas';

describe('generated files', () => {
  let folder: string;
  let sources: Sources;
  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'generate-'));
    sources = await readSources(process.cwd());
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are up to date', async () => {
    assert.deepEqual(await differences(sources, process.cwd()), []);
  });

  it('that are missing, changed or out of place are named', async () => {
    const missing = spawnSync(process.execPath, ['scripts/generate.mjs', '--check', '--out', folder], {
      encoding: 'utf8',
    });
    assert.equal(missing.status, 1, missing.stderr);
    for (const name of Object.keys(documentSchemas))
      assert.match(missing.stderr, new RegExp(`schemas/${name}\\.schema\\.json is missing`));

    assert.ok((await writeGenerated(sources, folder)) > 0);
    assert.deepEqual(await differences(sources, folder), []);

    appendFileSync(path.join(folder, 'schemas/plan.schema.json'), ' ');
    rmSync(path.join(folder, 'schemas/result.schema.json'));
    writeFileSync(path.join(folder, 'schemas/extra.schema.json'), '{}');
    const drifted = (await differences(sources, folder)).join('\n');
    assert.match(drifted, /schemas\/plan\.schema\.json is out of date/);
    assert.match(drifted, /schemas\/result\.schema\.json is missing/);
    assert.match(drifted, /schemas\/extra\.schema\.json is not generated/);
    assert.doesNotMatch(drifted, /header/);

    assert.equal(await writeGenerated(sources, folder), 2);
    assert.deepEqual(await differences(sources, folder), []);
  });

  it('are schemas ajv takes strictly; the one for the editor refuses nothing', () => {
    for (const name of readdirSync('schemas')) {
      const ajv = new Ajv({
        strict: true,
        strictTypes: !name.includes('.editor.'),
        allowUnionTypes: true,
        validateFormats: false,
      });
      const validate = ajv.compile(JSON.parse(readFileSync(`schemas/${name}`, 'utf8')) as object);
      if (!name.includes('.editor.')) continue;
      for (const value of [
        null,
        7,
        'x',
        [],
        {},
        { status: 7, tasks: {}, risk: [], execution: 'x' },
        { tasks: [7, { paths: 7, worker: 'nobody' }] },
      ]) {
        assert.equal(validate(value), true, `${name} refuses ${JSON.stringify(value)}`);
      }
    }
  });
});
