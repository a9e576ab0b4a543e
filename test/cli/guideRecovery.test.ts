import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, start, type Ended } from './cliBed';

/** The numbered steps of the page, each by the command line that it ends with. */
function steps(): readonly string[] {
  const [, section = ''] = readFileSync('docs/guide/blocked.md', 'utf8').split('\n## Do it\n');
  const [text = ''] = section.split('\n## ');
  return text.split('\n').flatMap((line) => {
    const [, command] = /^\d+\. .*: `(mission [^`]+)`$/.exec(line) ?? [];
    return command === undefined ? [] : [command];
  });
}

describe('the guide: a blocked mission', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('a newcomer who follows its steps, and nothing else, ends with a completed mission', async () => {
    const gate = path.join(bed.scratch, 'go');
    const slow = `${start}while (!fs.existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)); fs.writeFileSync('docs/out/slow.txt', 'slow');`;
    const run = await bed.mission('run', bed.plan('first', [{ script: slow, max_runtime_seconds: 1 }]));
    assert.equal(run.code, 3, run.stderr);
    bed.open('go'); // it is ready when the person lets it run longer
    const names: Readonly<Record<string, string>> = {
      MISSION: run.json.mission_id,
      TASK: 'T1',
      PACKET: run.json.packets[0]!.packet_id,
      PLAN: 'first',
      NAME: 'Grace',
      TEXT: 'as the guide says',
    };
    const commands = steps();
    assert.equal(commands.length, 5, commands.join('\n'));
    const told: string[] = [];
    for (const command of commands) {
      const [, ...words] = command.split(' ');
      const ended: Ended = await bed.spawn(process.execPath, [cliFile, ...words.map((word) => names[word] ?? word)])
        .ended;
      assert.equal(ended.code, 0, `${command}\n${ended.stdout}${ended.stderr}`);
      told.push(ended.stdout);
    }
    assert.ok(told[0]!.includes(names['MISSION']!) && told[0]!.includes('deadline of 1 s'), told[0]);
    // The step before says what the next one needs.
    assert.match(told[0]!, /next: mission packet resolve|next: mission retry/);
    assert.match(told[1]!, /What can be decided/);
    assert.match(told[3]!, /completed/);
    assert.equal(bed.read('docs/out/slow.txt'), 'slow');
  });

  it('the packet of a command that failed shows its output with the blanks that it had', async () => {
    const fails = `${start}console.error('Error: no\\n    at once'); process.exit(3);`;
    const run = await bed.mission('run', bed.plan('fails', [{ script: fails }]));
    const packet = run.json.packets[0]!.packet_id;
    const { stdout } = await bed.spawn(process.execPath, [cliFile, 'packet', 'show', packet]).ended;
    assert.match(stdout, /^- {5}at once$/m);
    assert.doesNotMatch(stdout, /\\xa0/);
  });
});
