import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';

describe('the place of a new plan', () => {
  let scratch: string;
  let workspace: string;
  let elsewhere: string;
  beforeEach(() => {
    scratch = mkdtempSync(path.join(os.tmpdir(), 'plan-place-'));
    workspace = path.join(scratch, 'work space');
    elsewhere = path.join(scratch, 'elsewhere');
    for (const folder of [workspace, elsewhere]) mkdirSync(folder);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const at = (name: string): string => path.join(workspace, name);
  const write = () => planFiles.write(at('docs/plans/PLAN_a.json'), '{}\n', null);

  const refusals: readonly (readonly [string, () => void, RegExp])[] = [
    ['docs leads out', () => symlinkSync(elsewhere, at('docs')), /docs leads to .*elsewhere, outside the workspace/],
    [
      'docs/plans leads out',
      () => {
        mkdirSync(at('docs'));
        symlinkSync('../../elsewhere', at('docs/plans'));
      },
      /docs\/plans leads to .*elsewhere, outside the workspace/,
    ],
    [
      'docs/plans leads out by way of the workspace',
      () => {
        mkdirSync(at('docs'));
        symlinkSync(elsewhere, at('out'));
        symlinkSync('../out', at('docs/plans'));
      },
      /outside the workspace/,
    ],
    [
      'docs/plans leads nowhere',
      () => {
        mkdirSync(at('docs'));
        symlinkSync('../gone', at('docs/plans'));
      },
      /docs\/plans is a link that leads nowhere/,
    ],
    ['docs is a file', () => writeFileSync(at('docs'), ''), /docs is not a folder/],
    [
      'docs/plans is a file',
      () => {
        mkdirSync(at('docs'));
        writeFileSync(at('docs/plans'), '');
      },
      /docs\/plans is not a folder/,
    ],
    [
      'links lead in a circle',
      () => {
        symlinkSync('docs', at('docs'));
      },
      /docs is a link that leads nowhere/,
    ],
  ];
  for (const [what, prepare, words] of refusals)
    it(`is refused where ${what}; nothing is written`, async () => {
      prepare();
      for (const asked of [planFiles.place(at('docs/plans/PLAN_a.json')), write()]) {
        const answer = await asked;
        assert.ok(!answer.ok);
        assert.equal(answer.refusal.code, 'PLAN_UNWRITABLE');
        assert.match(answer.refusal.reason, words);
        assert.ok(answer.refusal.next.length > 0);
      }
      assert.deepEqual(readdirSync(elsewhere), []);
    });

  it('is made where nothing is yet', async () => {
    assert.ok((await write()).ok);
    assert.ok(existsSync(at('docs/plans/PLAN_a.json')));
  });

  it('may be a link that stays in the workspace, as in a repository of several projects', async () => {
    mkdirSync(at('docs'));
    mkdirSync(at('shared/plans'), { recursive: true });
    symlinkSync('../shared/plans', at('docs/plans'));
    assert.ok((await write()).ok);
    assert.ok(existsSync(at('shared/plans/PLAN_a.json')));
  });

  it('is judged below a workspace that is reached by a link itself', async () => {
    symlinkSync(workspace, path.join(scratch, 'by link'));
    assert.ok((await planFiles.write(path.join(scratch, 'by link/docs/plans/PLAN_a.json'), '{}\n', null)).ok);
    assert.ok(existsSync(at('docs/plans/PLAN_a.json')));
  });
});
