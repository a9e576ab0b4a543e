import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AgentBed } from './agentBed';
import type { Ended } from './cliBed';

/** The commands of the guide, by name: what becomes of the mission, and of the blocked task. */
const wanted: Readonly<Record<string, readonly [mission: string, task: string]>> = {
  grant: ['completed', 'done'],
  resume: ['completed', 'done'],
  retry: ['completed', 'done'],
  'packet resolve': ['paused', 'blocked'],
  skip: ['paused', 'canceled'],
  cancel: ['cancelled', 'canceled'],
};

describe('the guide, When a worker is denied something', function () {
  this.timeout(120_000);
  const page = readFileSync('docs/guide/blocked.md', 'utf8');
  const section = /\n### When a worker is denied something\n([^]*?)\n##/.exec(page)?.[1] ?? '';
  /** The steps of every block and those of a denial; the guide says that `...` stands for name and reason. */
  const commands = [
    ...page.matchAll(/`mission ((?:packet )?\w+)( (?:MISSION|PACKET)[^`]*?)(?: \.\.\.| --by NAME[^`]*)`/g),
  ]
    .filter(([, name = '']) => wanted[name] !== undefined)
    .map(([, name = '', rest = '']) => [name, `${rest} --by NAME --reason TEXT`] as const);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed(['given'])));
  afterEach(() => bed.dispose());

  /** A task for an agent, and one that a mission without the first still has to do. */
  const twoTasks = (): string =>
    bed.plan(
      'denied',
      [
        { worker: 'claude', prompt: 'x' },
        { worker: 'command', command: ['mkdir', '-p', 'docs/out/other'], verify: [['true']] },
      ],
      {
        confinement: 'off',
        delegation: { claude_code: true, constraints: [] },
      },
    );

  /** How the mission and the task of the agent stand. */
  const standing = async (): Promise<readonly (string | undefined)[]> => {
    const { missions } = (await bed.mission('status')).json as unknown as {
      missions: readonly { status: string; tasks: readonly { status: string }[] }[];
    };
    return [missions[0]?.status, missions[0]?.tasks[0]?.status];
  };

  it('names every step, and a picture that is there', () => {
    assert.deepEqual(commands.map(([name]) => name).sort(), Object.keys(wanted).sort());
    const [, picture = ''] = /!\[[^\]]+\]\(\.\.\/\.\.\/(media\/[\w-]+\.png)\)/.exec(section) ?? [];
    assert.equal(readFileSync(picture).subarray(1, 4).toString(), 'PNG');
  });

  for (const [name, rest] of commands)
    it(`mission ${name} does what it says`, async () => {
      // Mended by hand: the second launch does without the directory.
      const needed = ['grant', 'cancel', 'skip', 'packet resolve'].includes(name)
        ? '!added.includes(wanted)'
        : '!fs.existsSync(wanted + "/mended")';
      bed.speaks(`
        const wanted = ${JSON.stringify(bed.place('given'))};
        if (${needed}) { denied(path.join(wanted, 'note.txt')); end('blocked'); return; }
        fs.mkdirSync('docs/out', { recursive: true });
        fs.writeFileSync('docs/out/done.txt', 'x');
        end('done', 'docs/out/done.txt');`);
      const run = await bed.withClaude('run', twoTasks());
      assert.deepEqual([run.code, run.json.status], [3, 'paused'], run.stdout);
      bed.write('../outside/given/mended', '');
      const words: Readonly<Record<string, string>> = {
        MISSION: run.json.mission_id,
        TASK: 'T1',
        PACKET: run.json.packets[0]?.packet_id ?? '',
        DIR: bed.place('given'),
        NAME: 'Ada',
        TEXT: 'why',
      };
      const args = `${name}${rest}`.split(' ').map((word) => words[word] ?? word);
      const ended: Ended = await bed.withClaude(...args);
      assert.notEqual(ended.code, 2, ended.stdout);
      assert.deepEqual(await standing(), wanted[name], ended.stdout);
      if (name !== 'skip') return;
      // The row of the table goes on with Resume.
      await bed.withClaude('resume', run.json.mission_id, '--by', 'Ada', '--reason', 'why');
      assert.deepEqual(await standing(), ['completed', 'canceled']);
    });
});
