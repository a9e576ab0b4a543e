import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { AgentBed } from './agentBed';
import { start, type Ended, decision } from './cliBed';

/** Two persons decide differently about one block, at once, from two processes. */
describe('two persons at once', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  const refused = ({ code, json, stdout, stderr }: Ended): void => {
    assert.equal(code, 2, stdout + stderr);
    assert.match(json.code, /^[A-Z_]+$/);
    assert.ok(json.reason.length > 10 && json.next.length > 0, stdout);
  };
  const by = (name: string): readonly string[] => ['--by', name, '--reason', 'so'];

  for (const first of ['skip', 'resolve'])
    it(`skip and resolve a packet, ${first} begun first: one counts, the other is refused with a step`, async () => {
      const script = `${start}if (!fs.existsSync('docs/out/again')) { fs.writeFileSync('docs/out/again', ''); process.exit(7); }\n${bed.waitAt('gate')}`;
      const run = await bed.mission('run', bed.plan('both', [{ script }]));
      assert.equal(run.code, 3, run.stdout);
      const id = run.json.mission_id;
      const packet = run.json.packets[0]!.packet_id;
      const calls = [
        ['skip', id, 'T1', '--yes', ...by('Ada')],
        ['packet', 'resolve', packet, '--outcome', 'retry-repair', ...by('Linus')],
      ];
      if (first === 'resolve') calls.reverse();
      const both = calls.map(async (call) => ({ call, ended: await bed.mission(...call) }));
      // The task waits at the gate where it was tried again, and a skip leaves nothing that waits.
      const soon = await Promise.race(both);
      bed.open('gate');
      const all = await Promise.all(both);
      const won = all.filter(({ ended }) => ended.json.accepted);
      assert.equal(won.length, 1, all.map(({ ended }) => ended.stdout).join('\n'));
      for (const { ended } of all) if (!ended.json.accepted) refused(ended);
      const resolved = won[0]!.call[0] === 'packet';
      assert.ok(!resolved || soon.call[0] === 'skip', 'the one that was tried again ends last');
      const types = (await bed.events(id)).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'AttemptStarted').length, resolved ? 2 : 1);
      assert.equal(types.filter((type) => type === 'TasksSkipped').length, resolved ? 0 : 1);
      assert.equal((await bed.mission('journal', 'verify', id)).code, 0);
      assert.equal((await bed.mission('evidence', 'verify', 'both')).code, 0);
    });

  for (const first of ['cancel', 'answer'])
    it(`cancel and answer, ${first} begun first: nothing goes on once it is canceled`, async () => {
      bed.speaks(`if (prompt.includes('Answers of a person')) while (!fs.existsSync(${JSON.stringify(`${bed.scratch}/go`)})) await wait(20);
        asks('Which port?');`);
      const run = await bed.withClaude('run', bed.agentPlan('asked'));
      assert.equal(run.code, 3, run.stdout);
      const id = run.json.mission_id;
      const calls = [
        ['cancel', id, ...by('Ada')],
        ['answer', id, '--text', '80', ...by('Linus')],
      ];
      if (first === 'answer') calls.reverse();
      const both = calls.map(async (call) => ({ call, ended: await bed.withClaude(...call) }));
      await Promise.race(both);
      writeFileSync(`${bed.scratch}/go`, '');
      const all = await Promise.all(both);
      const of = (verb: string): Ended => all.find(({ call }) => call[0] === verb)!.ended;
      assert.equal(of('cancel').json.accepted, true, of('cancel').stdout);
      const types = (await bed.events(id)).map(({ type }) => type);
      const answered = types.indexOf('QuestionAnswered');
      if (answered === -1) refused(of('answer'));
      else assert.ok(answered < types.indexOf('CancelRequested'), types.join(' '));
      assert.equal(types.slice(types.indexOf('CancelRequested')).includes('AttemptStarted'), false);
      const [mission] = (await bed.mission('status', id)).json.missions;
      assert.notEqual(mission?.ending, null);
      const late = await bed.withClaude('answer', id, '--text', '81', ...decision);
      refused(late);
      assert.equal((await bed.mission('evidence', 'verify', 'asked')).code, 0);
    });
});
