import assert from 'node:assert/strict';
import { CliBed, cliFile } from './cliBed';

describe('mission: an option that is wrong or missing', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const reasonOf = async (...call: readonly string[]): Promise<string> => {
    const { code, json } = await bed.mission(...call);
    assert.deepEqual([code, json.code], [2, 'USAGE']);
    return json.reason;
  };

  it('is refused with the value that it lacks', async () => {
    const last = await bed.spawn(process.execPath, [cliFile, 'pause', 'x', '--by']).ended;
    assert.match(last.stderr, /^Refused \(USAGE\): --by lacks its value: --by NAME\.$/m);
    assert.equal(
      await reasonOf('pause', 'x', '--by', '--reason', 'r'),
      '--by lacks its value: --by NAME. A value that begins with a hyphen is written --by=-….',
    );
  });

  it('is refused where it takes no value, or has no such name', async () => {
    assert.equal(await reasonOf('run', 'x', '--json=1'), '--json takes no value.');
    assert.equal(
      await reasonOf('run', 'x', '--confinemen', 'off'),
      "Unknown option '--confinemen'; did you mean --confinement?",
    );
    assert.equal(await reasonOf('run', 'x', '-q'), "Unknown option '-q'.");
  });

  it('is refused where a handoff cannot lie, with what lies there', async () => {
    bed.write('full/a', '');
    for (const [out, why] of [
      ['full', 'the folder is not empty'],
      ['full/a/x', 'a part of its path is no folder'],
    ] as const)
      assert.equal(
        await reasonOf('handoff', 'export', 'x', '--out', out),
        `--out ${bed.at(out)}: ${why}; name a folder that is new or empty.`,
      );
  });

  it('is named where a command cannot ask, in a step that works', async () => {
    await bed.mission('plan', 'new', 'asks', '--from', 'command');
    const { code, json } = await bed.mission('plan', 'approve', 'docs/plans/PLAN_asks.json', '--by', 'Ada Lovelace');
    assert.deepEqual([code, json.code], [2, 'USAGE']);
    const [step = ''] = json.next;
    assert.match(step, /^mission plan approve docs\/plans\/PLAN_asks\.json --by ['"]Ada Lovelace['"] .*--yes$/);
    const words = [...step.matchAll(/(["'])(.*?)\1|(\S+)/g)].map(([, , quoted, word]) => quoted ?? word ?? '');
    const approved = await bed.mission(...words.slice(1).filter((word) => word !== '--json'));
    assert.equal(approved.code, 0, approved.stdout);
  });
});
