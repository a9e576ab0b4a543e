import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readPacketFiles } from '../../src/cli/show/packetFiles';
import { CliBed, cliFile, decision, start } from './cliBed';

/** `mission packet show` of a packet whose files were edited after the runner wrote them. */
describe('a recovery packet whose file was edited', () => {
  let bed: CliBed;
  let packet: string;
  let file: string;
  let written: string;
  let markdown: string;
  before(async () => {
    bed = new CliBed();
    const run = await bed.mission('run', bed.plan('p', [{ script: `${start}process.exit(7);` }]));
    assert.equal(run.code, 3, run.stderr);
    packet = run.json.packets[0]!.packet_id;
    file = (await bed.mission('packet', 'show', packet)).json.path;
    written = bed.read(file);
    markdown = bed.read(twin());
  });
  afterEach(() => {
    bed.write(file, written);
    bed.write(twin(), markdown);
  });
  after(() => bed.dispose());
  const twin = (): string => file.replace(/\.json$/, '.md');
  const shown = async (): Promise<{ readonly code: number | null; readonly text: string }> => {
    const { code, stdout, stderr } = await bed.spawn(process.execPath, [cliFile, 'packet', 'show', packet]).ended;
    assert.equal(stderr, '');
    return { code, text: stdout };
  };

  it('is shown without a finding as it was written', async () => {
    const { code, json } = await bed.mission('packet', 'show', packet);
    assert.deepEqual([code, json.findings], [0, []]);
    const text = await shown();
    assert.equal(text.code, 0);
    assert.match(text.text, /^The packet, as it was written:$/m);
  });

  it('is named first, with both digests, and ends with 1; what can be decided is shown as before', async () => {
    bed.write(file, written.replace('exited with 7', 'exited with 0'));
    const { code, json } = await bed.mission('packet', 'show', packet);
    assert.deepEqual([code, json.findings.map((one) => one.code)], [1, ['PACKET_CHANGED']]);
    const text = await shown();
    assert.equal(text.code, 1);
    const [first = '', second = ''] = text.text.split('\n');
    assert.equal(first, `error PACKET_CHANGED ${file}`);
    assert.match(second, /the journal recorded SHA-256 [0-9A-F]{64}, and the file has [0-9A-F]{64}\.$/);
    assert.match(text.text, /^The packet, as its files are now:$/m);
    assert.match(text.text, new RegExp(`next: mission packet resolve ${packet} --outcome leave-blocked `));
    assert.match(text.text, /^Task T1 needs you \(child_exit_nonzero\): The worker exited with 7\.$/m);
  });

  it('is named also where it is no JSON any longer, or empty', async () => {
    for (const content of [`{oops ${written}`, '', '[]', 'null']) {
      bed.write(file, content);
      const { code, json } = await bed.mission('packet', 'show', packet);
      assert.deepEqual([code, json.findings.map((one) => one.code)], [1, ['PACKET_CHANGED']], content.slice(0, 8));
      assert.equal((await shown()).code, 1);
    }
  });

  it('is quoted from the recorded file where the Markdown beside it says something else, which is named', async () => {
    bed.write(twin(), markdown.replace('exited with 7', 'exited with 0, all is well'));
    const { code, json } = await bed.mission('packet', 'show', packet);
    assert.deepEqual([code, json.findings.map((one) => one.code)], [0, ['PACKET_TEXT_CHANGED']]);
    const { text } = await shown();
    assert.match(text, new RegExp(`^warning PACKET_TEXT_CHANGED ${twin()}$`, 'm'));
    assert.doesNotMatch(text, /all is well/);
    assert.match(text, /^The packet, as it was written:$/m);
    rmSync(bed.at(twin()));
    assert.deepEqual((await bed.mission('packet', 'show', packet)).json.findings, []);
    assert.match((await shown()).text, /^# Task T1 is blocked$/m);
  });

  it('is no finding while the runner is to write it anew', async () => {
    const other = { path: file, sha256: '0'.repeat(64) };
    const findings = async (asked: number): Promise<readonly string[] | undefined> =>
      (await readPacketFiles(bed.root, { asked, writes: 1, written: other }))?.findings.map(({ code }) => code);
    assert.deepEqual([await findings(0), await findings(1)], [['PACKET_CHANGED'], []]);
  });

  it('is no finding after a person asked on it, because the runner wrote it anew', async () => {
    const ask = ['--outcome', 'ask-user', '--question', 'Why?', ...decision];
    assert.equal((await bed.mission('packet', 'resolve', packet, ...ask)).code, 0);
    const { code, json } = await bed.mission('packet', 'show', packet);
    assert.deepEqual([code, json.findings], [0, []]);
    written = bed.read(file);
    markdown = bed.read(twin());
    bed.write(file, written.replace('Why?', 'Why not?'));
    assert.equal((await bed.mission('packet', 'show', packet)).code, 1);
  });
});
