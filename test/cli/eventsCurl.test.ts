import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { skipWithReason } from '../support/skip';
import { CliBed, until } from './cliBed';
import { serve, type Served } from './servedBed';

const writes = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.md', 'a');`;

/** The commands of docs/guide/browser.md as a person types them, beside a real server. */
describe('the documented curl commands', () => {
  let bed: CliBed;
  let served: Served;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  it('print another link, and the events of a mission while it runs', async function () {
    if ((await bed.spawn('sh', ['-c', 'command -v curl']).ended).code !== 0)
      skipWithReason(this, 'no toolchain here: curl');
    served = await serve(bed);
    const lines = [...readFileSync('docs/guide/browser.md', 'utf8').matchAll(/`(curl [^`]+)`/g)].map(([, line = '']) =>
      line.replace('TOKEN', served.token).replace('URL', served.url),
    );
    const [link = '', events = '', ...others] = lines;
    assert.deepEqual([link.endsWith('/link'), events.endsWith('/events'), others], [true, true, []]);

    const printed = await bed.spawn('sh', ['-c', link]).ended;
    assert.match(printed.stdout.trim(), new RegExp(`^${served.url}/open\\?code=[\\w-]{43}$`));

    const { child } = bed.spawn('sh', ['-c', `exec ${events}`]);
    let told = '';
    child.stdout?.on('data', (data: Buffer) => (told += data.toString()));
    // Its first line comes once the server has let it in.
    await until(() => told.length > 0);
    const run = await bed.mission('run', bed.plan('CURLED', [{ script: writes }]), '--by', 'Ada');
    assert.equal(run.code, 0, run.stdout + run.stderr);
    await until(() => told.includes('"MissionReported"'));
    const missionId = await bed.missionId();
    const { length } = await bed.events(missionId);
    assert.deepEqual(
      [...told.matchAll(/^id: ?(.*)$/gm)].map(([, id]) => id).filter((id) => id !== ''),
      Array.from({ length }, (_, index) => `${missionId}:${index + 1}`),
    );
    child.kill('SIGTERM');
    served.kill('SIGTERM');
    assert.equal((await served.ended).code, 0);
  });
});
