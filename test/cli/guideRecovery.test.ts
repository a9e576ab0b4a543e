import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

interface Shown {
  readonly next: readonly string[];
}

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

  it('the packet says first what is possible, with commands to type, then what is not possible and why', async () => {
    const fails = `${start}if (!fs.existsSync('docs/go')) process.exit(3); fs.writeFileSync('docs/out/a', 'a');`;
    const run = await bed.mission('run', bed.plan('choices', [{ script: fails }]));
    const packet = run.json.packets[0]!.packet_id;
    const show = (): Promise<Ended> => bed.spawn(process.execPath, [cliFile, 'packet', 'show', packet]).ended;
    const { stdout } = await show();
    const [now = '', rest = ''] = stdout.split('\nNot possible now:\n');
    assert.match(now, /^Task T1 needs you \(child_exit_nonzero\): The worker exited with 3\.\n\nPossible now:\n/);
    assert.match(
      now,
      / {2}retry-repair: Try it again \(recommended\)\. Mend what made it fail first\. .*\n {4}next: mission retry /,
    );
    for (const outcome of ['ask-user --question TEXT', 'leave-blocked'])
      assert.ok(now.includes(`next: mission packet resolve ${packet} --outcome ${outcome} --by NAME`), now);
    assert.match(now, /next: mission skip \S+ T1 .*|next: mission cancel \S+ --by/);
    assert.match(
      rest,
      /^[^]*\n {2}resume: Resume the mission: The mission cannot go on as it stands, because task T1 needs a repair first/,
    );
    assert.match(
      rest,
      /^ {2}rerun-validation: Validate again: There is nothing to validate again, because .*\n[^]*\n\nThe packet, as it was/,
    );
    assert.match(
      rest,
      /\nWhat follows quotes the recovery contract.*\nIts words mean:\n {2}mission tools: the commands that/,
    );
    const shown = (await bed.mission('packet', 'show', packet)).json as unknown as Shown;
    bed.write('docs/go', '');
    const commands = shown.next.filter((step) => /^mission (retry|packet resolve) /.test(step));
    assert.equal(commands.length, 3);
    // The one that runs the task is followed last.
    for (const command of [...commands.slice(1), commands[0]!]) {
      const words = command.split(' ').map((word) => ({ NAME: 'Ada', TEXT: 'why' })[word] ?? word);
      const ended = await bed.mission(...words.slice(1));
      assert.notEqual(ended.code, 2, `${command}\n${ended.stdout}`);
    }
    const closed = await show();
    assert.match(
      closed.stdout,
      /^Ada closed this packet at [\d-]+ [\d:]+ UTC with retry-repair: why\n\nThe packet, as it was written while it was open:\n\n# Task T1 is blocked\n/,
    );
    assert.match(closed.stdout, /\nState: resolved: retry-repair by Ada\nFile: .*\n {2}next: mission status \S+\n$/);
    assert.equal((await bed.mission('status', run.json.mission_id)).json.missions[0]?.status, 'completed');
  });

  it('a retry that can only end the same way says so', async () => {
    const run = await bed.mission('run', bed.plan('same', [{ script: start }]));
    const said = (await bed.mission('retry', run.json.mission_id, 'T1', ...decision)).json;
    assert.match(said.reason, /^Task T1 is tried again\. It blocks again if it changes nothing\.$/);
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
