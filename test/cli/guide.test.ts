import assert from 'node:assert/strict';
import path from 'node:path';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { commands } from './everyCommand';
import { parseCall, UsageError } from '../../src/cli/shell/command';
import { createOutput } from '../../src/cli/shell/output';
import { proposedMemorySchema } from '../../src/contracts/memory';
import { modelPolicySchema } from '../../src/contracts/modelPolicy';
import type { SubagentResult } from '../../src/contracts/result';
import { streamEventSchema } from '../../src/contracts/record/streamEvent';
import { askedIn } from '../../src/core/documents/claim';
import { CliBed, cliFile, start } from './cliBed';

type Json = Readonly<Record<string, unknown>>;

const documents = [
  'README.md',
  'docs/getting-started.md',
  ...globSync('docs/{guide,recipes}/*.md').map((file) => file.split(path.sep).join('/')),
];

/** A plan of two tasks that lacks only its approval. */
const plan: Json = {
  contract_version: 'S2-B-05.v1',
  plan_id: 'shown',
  goal_id: 'GOAL-1',
  created_at: '2026-01-15T09:00:00Z',
  planner: 'Ada',
  status: 'DRAFT',
  risk: { level: 1, notes: 'Writes files.' },
  scope: { allowed: ['code_change'] },
  tasks: ['one', 'two'].map((task_id, index) => ({
    task_id,
    description: 'Write a file.',
    worker: 'command',
    command: ['node', '--version'],
    paths: [`out/${task_id}/`],
    requires: ['code_change'],
    milestone: `M${index + 1}`,
  })),
  execution: { mode: 'sequential', delegation: { claude_code: true, constraints: [] } },
  approval: { required: true },
  success_criteria: ['validator_passes'],
};

describe('what the documents show', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('names only commands and options that the command line takes', () => {
    const calls = documents.flatMap((file) => callsIn(readFileSync(file, 'utf8')).map((call) => [file, call] as const));
    const wrong = calls.flatMap(([file, call]) => {
      const problem = problemOf(call);
      return problem === null ? [] : [`${file}: mission ${call}: ${problem}`];
    });
    assert.deepEqual(wrong, []);
    assert.ok(calls.length > 100, String(calls.length));
    assert.match(problemOf('retry MISSION --bye NAME') ?? '', /bye/);
    assert.match(problemOf('replay MISSION') ?? '', /no command/);
    assert.match(problemOf('pause MISSION --by NAME') ?? '', /--reason TEXT is missing \(why\)/);
    assert.equal(problemOf('pause MISSION ...'), null);
  });

  for (const file of documents.filter((name) => name.startsWith('docs/guide/')))
    for (const [index, block] of jsonIn(readFileSync(file, 'utf8')).entries())
      it(`${file}: its JSON ${index + 1} is what Mission Control takes`, async () => {
        assert.deepEqual(await problemsOf(block, bed), []);
      });

  it('JSON that Mission Control does not take is found', async () => {
    assert.notDeepEqual(await problemsOf({ execution: { mode: 'paralel' } }, bed), []);
    assert.notDeepEqual(await problemsOf({ domain: 'elsewhere', key: 'a', decision: 'b', rationale: 'c' }, bed), []);
    assert.notDeepEqual(await problemsOf({ anything: 1 }, bed), []);
  });

  describe('the step of a pipeline', () => {
    const [, script = ''] = /```sh\n([^]*?)```/.exec(readFileSync('docs/guide/ci.md', 'utf8')) ?? [];
    const written = ['doctor.json', 'run.json', 'verify.json'];
    /** Runs the step as a runner does, in a workspace where nothing ran before. */
    async function step({ shell = ['-e'], damage = false } = {}): Promise<number | null> {
      const bin = path.join(bed.scratch, 'pipeline');
      mkdirSync(bin, { recursive: true });
      const change = 'echo x >> docs/ops/executions/nightly/EXECUTION_SUMMARY.md';
      const program = `#!/bin/sh\nif [ "$1" = evidence ] && ${damage}; then ${change}; fi\nexec "${process.execPath}" "${path.resolve(cliFile)}" "$@"\n`;
      writeFileSync(path.join(bin, 'mission'), program, { mode: 0o755 });
      const env = { ...bed.env, PATH: `${bin}${path.delimiter}${bed.env['PATH'] ?? ''}` };
      return (await bed.spawn('/bin/sh', [...shell, '-c', script], { env }).ended).code;
    }
    const works = { script: `${start}fs.writeFileSync('docs/out/a', 'a');` };

    for (const [what, tasks, code, status] of [
      ['a mission that is done', [works], 0, 'completed'],
      ['a blocked mission', [{ script: 'process.exit(1);' }], 3, 'blocked'],
      ['a plan that is not valid', [{ ...works, paths: ['../out/'] }], 1, 'refused'],
      ['a plan that is gone', null, 2, 'refused'],
      ['an agent that is not installed', [{ worker: 'codex', prompt: 'Write it.' }], 4, 'refused'],
    ] as const)
      it(`keeps the exit code of ${what}, and its three documents`, async () => {
        if (tasks !== null) bed.plan('nightly', tasks);
        assert.equal(await step(), code);
        assert.equal(bed.json('run.json').status, status);
        for (const name of written) assert.ok(bed.json(name), name);
      });

    for (const shell of [['-e'], []])
      it(`fails where the evidence of a mission that is done does not hold: sh ${shell.join('')}`, async () => {
        bed.plan('nightly', [works]);
        assert.equal(await step({ shell, damage: true }), 1);
        assert.equal(bed.json('run.json').status, 'completed');
        assert.equal(bed.json('verify.json').valid, false);
      });
  });
});

/** Returns the calls of `mission` in inline code and in blocks that are no JSON, each without that word. */
function callsIn(text: string): readonly string[] {
  const inline = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`mission ([^`\n]+)`/g);
  const blocks = [...text.matchAll(/^```(?!json)\w*\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => [...block.matchAll(/^(?:\$ )?mission (.+)$/gm)]);
  return [...inline, ...lines].map(([, call = '']) => call.replace(/ (?:\d?>|\|\|) ?.*$/, ''));
}

/** What a person writes in place of a blank. */
const asWritten = new Map([
  ['NAME', 'Ada'],
  ['TEXT', 'mended'],
]);

/**
 * Says why the command line does not take a call; null: it does. A call may be the name of a command alone, or with an
 * option that is spoken about. `...` at its end stands for the name and the reason of a person.
 */
function problemOf(call: string): string | null {
  // The first alternative, with what may be left out.
  const words = call
    .replace(/ \.{3}$/, ' --by NAME --reason TEXT')
    .replaceAll(/\(([^|)]*)(?:\|[^)]*)?\)/g, '$1')
    .replaceAll(/\[([^|\]]*)(?:\|[^\]]*)?\]/g, '$1')
    .split(/\s+/)
    .map((word) => word.replaceAll(/\.{3}$|["']/g, ''))
    .map((word) => asWritten.get(word) ?? word)
    .filter((word) => word !== '');
  if (words[0]?.startsWith('-')) return null;
  const spec = [2, 1]
    .map((count) => commands.find(({ name }) => name === words.slice(0, count).join(' ')))
    .find(Boolean);
  if (spec === undefined) return `there is no command ${words[0] ?? ''}`;
  const rest = words.slice(spec.name.split(' ').length);
  if (rest.length === 0) return null;
  try {
    parseCall(spec, rest, createOutput(false, process, {}), { directory: '.', environment: {} });
    return null;
  } catch (error) {
    if (error instanceof UsageError)
      return rest[0]?.startsWith('--') && /missing/.test(error.message) ? null : error.message;
    throw error;
  }
}

/** Returns the blocks of JSON; a block of members alone is an object, too. */
function jsonIn(text: string): readonly Json[] {
  return [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => {
    const whole = block.trimStart().startsWith('{') ? block : `{${block}}`;
    return JSON.parse(whole) as Json;
  });
}

/** Says what Mission Control finds wrong with a block of JSON, by what the block is. */
async function problemsOf(block: Json, bed: CliBed): Promise<readonly string[]> {
  const names = Object.keys(block);
  const has = (name: string): boolean => names.includes(name);
  if (has('routing')) return issuesOf(modelPolicySchema.safeParse(block));
  if (has('rationale')) return issuesOf(proposedMemorySchema.safeParse(block));
  if (has('payload')) return issuesOf(streamEventSchema.safeParse(block));
  if (has('notes_for_orchestrator'))
    return askedIn(block as unknown as SubagentResult).length > 0 ? [] : ['asks nothing'];
  const isTask = has('carried_from');
  const [first = {}, ...others] = plan['tasks'] as readonly Json[];
  const changed = isTask
    ? { ...plan, supersedes: 'orders', tasks: [{ ...first, ...block }, ...others] }
    : { ...plan, ...block };
  const milestones = block['milestones'] as readonly { readonly id: string }[] | undefined;
  const tasks = (changed.tasks as readonly Json[]).map(({ milestone, ...task }) =>
    milestones ? { ...task, milestone } : task,
  );
  bed.write('docs/plans/PLAN_shown.json', JSON.stringify({ ...changed, tasks }));
  const { json } = await bed.mission('plan', 'validate', 'docs/plans/PLAN_shown.json');
  return json.files[0]!.findings.filter(
    ({ code, severity }) => (severity === 'error' || code === 'FIELD_UNKNOWN') && code !== 'STATUS_NOT_APPROVED',
  )
    .filter(({ code }) => !isTask || !code.startsWith('CARRIED_'))
    .map(({ code, message }) => `${code}: ${message}`);
}

function issuesOf({
  error,
}: {
  readonly error?: { readonly issues: readonly { readonly message: string }[] };
}): readonly string[] {
  return (error?.issues ?? []).map(({ message }) => message);
}
