import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from '../../src/adapters/processes/tree';
import { draftAnswer } from '../support/draftAnswer';
import { cliFile, until, type Ended } from './cliBed';
import { block, DraftBed, type Drafted } from './draftBed';

/** No journal names a draft: its folder of runs is the only thing by which its baselines are found. */
describe('mission clean of a draft, when not everything goes', function () {
  this.timeout(120_000);
  let bed: DraftBed;
  let places: readonly string[];
  beforeEach(async () => {
    bed = new DraftBed();
    bed.answers(['There is no plan.']);
    await bed.draft();
    places = (await bed.mission('clean')).json.directories.map((one) => path.resolve(bed.root, one.path));
    assert.ok(places.length > 1 && places.some((place) => place.endsWith('manifests')), places.join('\n'));
  });
  afterEach(() => bed.dispose());

  /** @param does statements before a folder `place` of a draft is removed by `rmdir(place)`, the `count`th */
  const cleaned = (does: string): Promise<Ended> => {
    const file = path.join(bed.scratch, 'removes.cjs');
    writeFileSync(
      file,
      `const fs = require('node:fs/promises'); const rmdir = fs.rmdir; let count = 0;
      fs.rmdir = async (place) => {
        if (!${JSON.stringify(places)}.includes(place)) return rmdir(place);
        count += 1;
        ${does}
        return rmdir(place);
      };`,
    );
    return bed.spawn(process.execPath, ['--require', file, cliFile, 'clean', '--yes', '--json']).ended;
  };
  const left = (): readonly string[] => places.filter((place) => existsSync(place));
  const goesNext = async (): Promise<void> => {
    const next = await bed.mission('clean', '--yes');
    assert.equal(next.code, 0, next.stdout);
    assert.deepEqual(left(), []);
  };

  it('is killed between two folders: the next one finds the rest', async () => {
    await cleaned(`if (count === 2) process.kill(process.pid, 'SIGKILL');`);
    assert.equal(left().length, places.length - 1);
    await goesNext();
  });

  it('cannot remove a baseline: it keeps what it is found by, and says so', async () => {
    const end = await cleaned(`if (place.endsWith('manifests')) throw new Error('EBUSY: somebody looks at it');`);
    const { failed } = end.json as unknown as { readonly failed: readonly Record<'path' | 'reason', string>[] };
    assert.equal(end.code, 1, end.stdout);
    assert.deepEqual(
      failed.map((one) => path.resolve(bed.root, one.path)),
      left(),
    );
    assert.match(failed[0]?.reason ?? '', /somebody looks at it/);
    assert.match(failed.at(-1)?.reason ?? '', /^it is kept until .*manifests is gone/);
    await goesNext();
  });
});

describe('mission clean of a draft that goes on', function () {
  this.timeout(120_000);
  let bed: DraftBed;
  beforeEach(() => (bed = new DraftBed()));
  afterEach(() => bed.dispose());

  it('keeps its folder between two launches, when nothing of it runs but its owner', async () => {
    const gate = path.join(bed.scratch, 'gate');
    bed.answers(
      ['There is no plan.', block(draftAnswer)],
      `while (!fs.existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 50));`,
    );
    const running = bed.start(...bed.options());
    await until(() => bed.asked);
    running.child.kill('SIGSTOP');
    writeFileSync(gate, '');
    const [draft = assert.fail('no draft')] = bed.drafts();
    await until(() => bed.exists(`.mission-control/missions/${draft}/runs/1-draft/exit.json`));
    const meanwhile = await bed.mission('clean', '--yes');
    running.child.kill('SIGCONT');
    assert.deepEqual(meanwhile.json.directories, []);
    const end = await running.ended;
    assert.equal((end.json as unknown as Drafted).launches, 2, end.stdout);
    assert.equal((await bed.mission('clean', '--yes')).code, 0);
    assert.deepEqual(bed.drafts(), []);
  });

  it('keeps it before the first launch too, and finds what one left that was refused', async () => {
    const options = bed.options('--worker', 'codex');
    const refused = await bed.mission(...options);
    assert.equal(refused.json.code, 'WORKER_MISSING', refused.stdout);
    const { directories } = (await bed.mission('clean', '--yes')).json;
    assert.ok(
      directories.some(({ path: place }) => place.endsWith('manifests')),
      JSON.stringify(directories),
    );
    const folder = bed.at('.mission-control/missions/draft-00000000-0000-4000-8000-000000000000');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'owner.json'), JSON.stringify(await identityOf(process.pid)));
    assert.deepEqual((await bed.mission('clean', '--yes')).json.directories, []);
    writeFileSync(path.join(folder, 'owner.json'), JSON.stringify({ pid: -1 }));
    assert.equal((await bed.mission('clean', '--yes')).json.directories.length, 1);
  });
});
