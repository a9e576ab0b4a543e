import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import { documentSchemas } from '../../src/contracts/schemas';

const generate = (...options: string[]): { code: number | null; said: string } => {
  const run = spawnSync(process.execPath, ['scripts/generate.mjs', ...options], { encoding: 'utf8' });
  return { code: run.status, said: run.stdout + run.stderr };
};

describe('generated files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'generate-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are up to date', () => {
    const { code, said } = generate('--check');
    assert.equal(code, 0, said);
  });

  it('that are missing, changed or out of place are named', () => {
    const missing = generate('--check', '--out', folder);
    assert.equal(missing.code, 1);
    for (const name of Object.keys(documentSchemas))
      assert.match(missing.said, new RegExp(`schemas/${name}\\.schema\\.json is missing`));

    assert.equal(generate('--out', folder).code, 0);
    assert.equal(generate('--check', '--out', folder).code, 0);

    appendFileSync(path.join(folder, 'schemas/plan.schema.json'), ' ');
    rmSync(path.join(folder, 'schemas/result.schema.json'));
    writeFileSync(path.join(folder, 'schemas/extra.schema.json'), '{}');
    const drifted = generate('--check', '--out', folder);
    assert.equal(drifted.code, 1);
    assert.match(drifted.said, /schemas\/plan\.schema\.json is out of date/);
    assert.match(drifted.said, /schemas\/result\.schema\.json is missing/);
    assert.match(drifted.said, /schemas\/extra\.schema\.json is not generated/);
    assert.doesNotMatch(drifted.said, /header/);

    assert.equal(generate('--out', folder).code, 0);
    assert.equal(generate('--check', '--out', folder).code, 0);
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
