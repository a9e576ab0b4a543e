import assert from 'node:assert/strict';
import { CliBed, start, type Ended } from './cliBed';

interface Refused {
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

describe('next steps of a refusal', function () {
  this.timeout(300_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const refusal = (ended: Ended, code: string): Refused => {
    const told = ended.json as unknown as Refused;
    assert.equal(told.code, code, ended.stdout);
    return told;
  };
  /** The commands that the steps name, with a person's own words for NAME, TEXT and ID. */
  const commandsOf = (next: readonly string[]): readonly (readonly string[])[] =>
    next.flatMap((step) => {
      const command = /^(?:Or: )?mission (.+)$/.exec(step)?.[1];
      if (command === undefined) return [];
      assert.doesNotMatch(command, /\b(?:FILE|DIR|PLAN|MISSION)\b/, step);
      return [command.split(' ').map((word) => ({ NAME: 'Ada', TEXT: 'why', ID: 'T1' })[word] ?? word)];
    });
  const follow = async (next: readonly string[]): Promise<readonly Ended[]> => {
    const commands = commandsOf(next);
    assert.ok(commands.length > 0, next.join('\n'));
    const ended: Ended[] = [];
    for (const words of commands) {
      const yes = words.includes('approve') ? ['--yes'] : [];
      ended.push(await bed.mission(...words, ...yes));
      assert.notEqual(ended.at(-1)?.code, 2, `mission ${words.join(' ')}: ${ended.at(-1)?.stdout}`);
    }
    return ended;
  };

  it('of a plan that is not valid: validation says the same, also with another default worker', async () => {
    const plan = bed.plan('wanting', [{ script: start, worker: undefined, command: undefined }]);
    const told = refusal(await bed.mission('run', plan, '--worker', 'command'), 'PLAN_INVALID');
    const [validated] = await follow(told.next);
    assert.deepEqual([validated?.code, validated?.json.valid], [1, false]);
    assert.match(validated?.stdout ?? '', /COMMAND_MISSING/);
  });

  it('of a plan without a record of its approval: it is approved where it lies', async () => {
    const plan = bed.plan('unrecorded', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    const told = refusal(await bed.mission('run', plan, '--require-approval-record'), 'APPROVAL_RECORD_REQUIRED');
    await follow(told.next);
    const run = await bed.mission('run', plan, '--require-approval-record');
    assert.equal(run.code, 0, run.stdout);
  });

  it('of orch: a task before the start, and a start after the start', async () => {
    const plan = bed.plan('orch', [{ script: start }]);
    const early = await bed.mission('orch', 'task', '--plan', plan, '--task', 'T1', '--phase', 'START');
    await follow(refusal(early, 'EVIDENCE_MISSING').next);
    await follow(refusal(await bed.mission('orch', 'start', '--plan', plan), 'MISSION_OPEN').next);
  });

  it('of a word that is no command or option: the nearest one has help', async () => {
    for (const [words, near] of [
      [['stauts'], 'status'],
      [['plan', 'validat'], 'plan validate'],
      [['evidence', 'verfy', 'x'], 'evidence verify'],
      [['resmue', 'm'], 'resume'],
    ] as const) {
      const ended = await bed.mission(...words);
      const told = refusal(ended, 'USAGE');
      assert.equal(ended.code, 2);
      assert.ok(told.reason.includes(`Did you mean "${near}"?`), told.reason);
      const [help] = await follow(told.next);
      assert.equal(help?.code, 0);
    }
    const option = refusal(await bed.mission('list', '--worksapce', 'x'), 'USAGE');
    assert.match(option.reason, /did you mean --workspace\?/);
  });

  it('a plan id that is none is a mistake of the call', async () => {
    assert.equal((await bed.mission('evidence', 'verify', '../x')).code, 2);
    assert.equal((await bed.mission('plan', 'new', '../x')).code, 2);
  });
});
