import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { sha256Of } from '../../src/adapters/files/bytes/sha256';
import { AgentBed } from './agentBed';
import { cliFile } from './cliBed';

interface TaskFile {
  readonly status: string;
  readonly attempts: readonly {
    readonly code: string | null;
    readonly reason: string | null;
    readonly context?: {
      readonly snapshot_sha256: string;
      readonly kept: string;
      readonly project_sha256: string | null;
      readonly instructions?: unknown;
    };
  }[];
}

const sound = readFileSync('test/fixtures/ai-project/sound.json', 'utf8');

/** A worker that keeps its prompt, and writes one file. */
const writes = `
  const root = process.cwd();
  fs.mkdirSync(path.join(root, 'docs/out'), { recursive: true });
  fs.writeFileSync(path.join(root, 'docs/out/prompt.txt'), prompt);
  end('done', 'docs/out/prompt.txt');`;

describe('mission: context', () => {
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.speaks(writes);
  });
  afterEach(() => bed.dispose());

  const plan = (name: string, task: Record<string, unknown> = {}): string =>
    bed.plan(name, [{ worker: 'claude', type: 'work', prompt: 'Cut the store in two.', ...task }], {
      confinement: 'off',
      delegation: { claude_code: true, constraints: [] },
    });
  const task = (name: string): TaskFile => bed.json(`docs/ops/executions/${name}/TASK_T1.json`) as unknown as TaskFile;
  const findings = async (name: string): Promise<readonly string[]> =>
    (await bed.mission('evidence', 'verify', name)).json.findings.map(({ code, severity }) => `${severity} ${code}`);

  it('a task that declares architecture blocks without ai.project.json; what the block names mends it; the evidence holds the digest', async () => {
    const file = plan('P', { intent: 'architecture' });
    const blocked = await bed.withClaude('run', file);
    assert.equal(blocked.code, 3, blocked.stderr);
    assert.deepEqual(bed.launches(), [], 'nothing was launched');
    const id = blocked.json.mission_id;
    assert.deepEqual(
      blocked.json.packets.map(({ category }) => category),
      ['project_context'],
    );
    const told = (await bed.mission('status', id)).stdout;
    assert.match(told, /needs ai\.project\.json, and it is missing/);
    assert.match(told, /mission context new/);
    const shown = await bed.spawn(process.execPath, [cliFile, 'status', id]).ended;
    assert.match(
      shown.stdout,
      /needs you \(project_context\).*\n(?: +(?:output|recommended): .*\n)* +next: mission context new\n/,
    );

    assert.equal((await bed.mission('context', 'new')).code, 0);
    const unfilled = await bed.withClaude('retry', id, 'T1', '--by', 'Ada', '--reason', 'the file is there');
    assert.equal(unfilled.code, 3);
    assert.match((await bed.mission('status', id)).stdout, /PROJECT_FIELD_EMPTY/);
    assert.deepEqual(bed.launches(), []);

    bed.write('ai.project.json', JSON.stringify({ ...(JSON.parse(sound) as object), x_pad: 'x'.repeat(256 * 1024) }));
    await bed.withClaude('retry', id, 'T1', '--by', 'Ada', '--reason', 'it is filled in and too long');
    assert.match(
      (await bed.mission('status', id)).stdout,
      /cannot be read \(ai\.project\.json is larger than 256 KB\)/,
    );

    bed.write('ai.project.json', sound);
    const done = await bed.withClaude('retry', id, 'T1', '--by', 'Ada', '--reason', 'it is filled in');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    const { status, attempts } = task('P');
    assert.equal(status, 'SUCCESS');
    assert.deepEqual(
      attempts.map(({ code }) => code),
      ['MISSING_REQUIRED_INPUT', 'SCHEMA_INVALID', 'MISSING_REQUIRED_INPUT', null],
    );
    const context = attempts.at(-1)?.context ?? assert.fail('no context');
    assert.equal(context.project_sha256, sha256Of(Buffer.from(sound)));
    assert.equal(sha256Of(readFileSync(bed.at(context.kept))), context.snapshot_sha256);
    const prompt = bed.read('docs/out/prompt.txt');
    const given = /<ai_project_json>\n([^]*?)\n<\/ai_project_json>/.exec(prompt)?.[1] ?? assert.fail(prompt);
    const snapshot = JSON.parse(bed.read(context.kept)) as {
      project: { document: unknown };
      priority: unknown;
      restore: unknown;
    };
    assert.deepEqual(JSON.parse(given), snapshot.project.document);
    assert.deepEqual(JSON.parse(given), JSON.parse(sound));
    assert.deepEqual(snapshot.priority, ['restore', 'project', 'scope', 'prompt']);
    assert.deepEqual(
      snapshot.restore,
      { untrusted: true, entries: [] },
      'an empty memory is an empty recorded snapshot',
    );
    const frozen = (await bed.events('P')).filter(
      (event) => event.type === 'PhaseCompleted' && event.phase === 2 && event.context,
    );
    assert.equal(frozen.length, 1);

    assert.deepEqual(await findings('P'), []);
    const kept = readFileSync(bed.at(context.kept));
    kept[kept.indexOf('shelf')] = 'S'.charCodeAt(0);
    writeFileSync(bed.at(context.kept), kept);
    assert.deepEqual(await findings('P'), ['error CONTEXT_CHANGED']);
  });

  it('an ordinary task, and one whose description alone says refactor, need no file; their snapshot is recorded as well', async () => {
    for (const [name, more] of Object.entries({ A: {}, B: { description: 'Refactor the parser.' } })) {
      const ended = await bed.withClaude('run', plan(name, more));
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      const context = task(name).attempts[0]?.context ?? assert.fail('no context');
      assert.equal(context.project_sha256, null);
      assert.doesNotMatch(bed.read('docs/out/prompt.txt'), /ai_project_json/);
      assert.deepEqual(await findings(name), []);
    }
  });

  it('instructions that the plan names are frozen when the mission begins, and given to an agent with their digest', async () => {
    const rules = 'Use tabs.\n';
    bed.write('AGENTS.md', rules);
    bed.write('CLAUDE.md', 'Obey CLAUDE.md.\n');
    // The first task changes the file: the agent after it still gets the frozen bytes.
    const file = bed.plan(
      'P',
      [
        { script: "import fs from 'node:fs'; fs.writeFileSync('AGENTS.md', 'Use spaces.');", paths: ['AGENTS.md'] },
        { worker: 'claude', type: 'work', prompt: 'Cut the store in two.', depends_on: ['T1'] },
      ],
      {
        confinement: 'off',
        delegation: { claude_code: true, constraints: [] },
        project_instructions: ['AGENTS.md'],
      },
    );
    const ended = await bed.withClaude('run', file);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal(bed.read('AGENTS.md'), 'Use spaces.');
    const prompt = bed.read('docs/out/prompt.txt');
    assert.ok(prompt.includes(`<project_instructions>\nsource: AGENTS.md\n${rules}\n</project_instructions>`), prompt);
    assert.doesNotMatch(prompt, /Obey CLAUDE/);
    const given = [{ path: 'AGENTS.md', sha256: sha256Of(rules) }];
    const [command, agent] = ['T1', 'T2'].map(
      (name) => (bed.json(`docs/ops/executions/P/TASK_${name}.json`) as unknown as TaskFile).attempts[0],
    );
    assert.deepEqual(agent?.context?.instructions, given);
    assert.equal(command?.context, undefined, 'a command is told nothing');
    const received = (await bed.events('P')).find((event) => event.type === 'MissionReceived');
    const frozen = (received?.type === 'MissionReceived' && received.instructions) || assert.fail('nothing frozen');
    assert.deepEqual(frozen.files, [{ ...given[0], bytes: rules.length }]);
    assert.equal(sha256Of(readFileSync(bed.at(frozen.kept))), frozen.sha256);
    assert.deepEqual(await findings('P'), []);
  });

  it('instructions are approved with their digest: other bytes start nothing, and the approval of a plan without them says so', async () => {
    const draft = (name: string, more: Record<string, unknown> = {}): string => {
      const file = plan(name);
      const value = JSON.parse(bed.read(file)) as { execution: object; status: string; approval: object };
      Object.assign(value, { status: 'DRAFT', approval: { required: true } });
      Object.assign(value.execution, more);
      bed.write(file, JSON.stringify(value));
      return file;
    };
    const approve = (file: string): Promise<{ readonly code: number | null; readonly stdout: string }> =>
      bed.spawn(process.execPath, [cliFile, 'plan', 'approve', file, '--by', 'Ada', '--yes']).ended;
    const named = draft('P', { project_instructions: ['AGENTS.md'] });
    const missing = await approve(named);
    assert.match(missing.stdout, /INSTRUCTIONS_MISSING/);
    bed.write('AGENTS.md', 'Use tabs.\n');
    const shown = await approve(named);
    assert.match(
      shown.stdout,
      new RegExp(`instructions of AGENTS\\.md \\(10 bytes, SHA-256 ${sha256Of('Use tabs.\n')}\\)`),
    );
    bed.write('AGENTS.md', 'Use spaces.\n');
    const changed = await bed.withClaude('run', named);
    assert.equal(changed.json.code, 'INSTRUCTIONS_CHANGED', changed.stdout + changed.stderr);
    assert.deepEqual(bed.launches(), []);
    await approve(named);
    assert.equal((await bed.withClaude('run', named)).code, 0);
    assert.match((await approve(draft('Q'))).stdout, /follow no instructions of the project: none is given AGENTS\.md/);
  });

  it('a context that changes while the worker runs stops its result, also where git ignores the file', async () => {
    bed.write('.gitignore', '.mission-control/\nai.project.json\n');
    bed.git('commit', '-qam', 'ignored');
    bed.write('ai.project.json', sound);
    bed.speaks(`fs.appendFileSync('ai.project.json', ' ');${writes}`);
    const ended = await bed.withClaude('run', plan('P', { intent: 'refactor' }));
    assert.notEqual(ended.code, 0);
    assert.match((await bed.mission('status', ended.json.mission_id)).stdout, /ai\.project\.json/);
  });

  it('generate_context writes what it detects in phase 2a, its agent fills in the rest, and a valid file ends it', async () => {
    bed.write('package.json', '{"name":"shelf"}');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'a package');
    bed.speaks(`
      const file = path.join(process.cwd(), 'ai.project.json');
      const was = JSON.parse(fs.readFileSync(file, 'utf8'));
      fs.writeFileSync(file, JSON.stringify({ ...${sound}, meta: { ...${sound}.meta, project_name: was.meta.project_name + ' 2' } }));
      end('done', 'ai.project.json');`);
    const ended = await bed.withClaude('run', plan('P', { intent: 'generate_context', paths: ['ai.project.json'] }));
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const made = JSON.parse(bed.read('ai.project.json')) as { meta: { project_name: string } };
    assert.equal(made.meta.project_name, 'shelf 2', 'the agent saw what phase 2a had written');
    const phases = (await bed.events('P')).flatMap((event) => (event.type === 'PhaseCompleted' ? [event.phase] : []));
    assert.deepEqual(phases, [0, 1, 2, '2a', 3, 4, 5, 6, 8, 9, 10]);
    assert.deepEqual(await findings('P'), []);
  });

  it('generate_context with open fields blocks; a person fills them in, and the validation alone runs again', async () => {
    bed.speaks(`end('done');`);
    const ended = await bed.withClaude('run', plan('P', { intent: 'generate_context', paths: ['ai.project.json'] }));
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    const id = ended.json.mission_id;
    assert.match((await bed.mission('status', id)).stdout, /ai\.project\.json is not valid yet/);
    bed.write('ai.project.json', sound);
    const done = await bed.withClaude('rerun-validation', id, 'T1', '--by', 'Ada', '--reason', 'filled in');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.equal(bed.launches().length, 1);
    assert.deepEqual(await findings('P'), []);
  });
});
