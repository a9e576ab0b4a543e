import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start } from './cliBed';

/** With files of a user of its own, because a stop reaches everything of one user. */
class OwnBed extends CliBed {
  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, MISSION_CONTROL_HOME: path.join(this.scratch, 'user') };
  }
}

describe('what mission stop --all and its release print', function () {
  this.timeout(180_000);
  let bed: OwnBed;
  beforeEach(() => {
    bed = new OwnBed();
    mkdirSync(path.join(bed.scratch, 'user'));
  });
  afterEach(() => bed.dispose());
  const text = async (env: NodeJS.ProcessEnv, ...words: string[]): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, ...words, ...decision], { env }).ended).stdout;

  it('says of a mission whose evidence is not written yet that no process goes on with it', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a', 'a');${bed.waitAt('gate')}`;
    const run = bed.start('run', bed.plan('slow', [{ script }]));
    await bed.waitsAt('gate');
    run.child.kill('SIGKILL');
    await run.ended;
    // A git that is slow with the patch of the handoff.
    const bin = path.join(bed.scratch, 'slow');
    mkdirSync(bin);
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const slow = `#!/bin/sh\ncase " $* " in *" ls-tree "*) sleep 20;; esac\nexec ${git} "$@"\n`;
    writeFileSync(path.join(bin, 'git'), slow, { mode: 0o755 });
    const PATH = `${bin}:${bed.env.PATH ?? ''}`;
    const said = await text({ ...bed.env, PATH }, 'stop', '--all');
    const [mission] = (await bed.mission('status', 'slow')).json.missions as unknown as readonly {
      interrupted: boolean;
    }[];
    assert.equal(mission?.interrupted, true);
    assert.match(said, /: slow-\S+: Paused\. No process runs this mission now\./);
  });

  it('lists ten missions with two steps each, and where the others are', async () => {
    for (let at = 0; at < 12; at += 1) {
      const run = await bed.mission('run', bed.plan(`plan${at}`, [{ command: ['false'] }]));
      assert.equal(run.json.status, 'blocked', run.stdout);
    }
    for (const words of ['--all', '--release']) {
      const lines = (await text(bed.env, 'stop', words)).trimEnd().split('\n');
      assert.equal(lines.filter((line) => /: plan\d+-\S+: /.test(line)).length, 10, lines.join('\n'));
      assert.ok(
        lines.some((line) => line.startsWith(`  and 2 more in ${bed.root}: `)),
        lines.join('\n'),
      );
      assert.ok(lines.length < 35, lines.join('\n'));
    }
  });
});
