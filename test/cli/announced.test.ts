import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { decision, until } from './cliBed';

/** A worker whose stream names a file that it wrote, and whose result never comes. */
describe('a write that only the stream of a worker announced', () => {
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  const breaksOff = `fs.mkdirSync('docs/out', { recursive: true });
    for (const name of ['named', 'silent']) fs.writeFileSync('docs/out/' + name, name);
    const file_path = process.cwd() + '/docs/out/named';
    say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Write', input: { file_path } }] } });
    say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] }, tool_use_result: { type: 'create' } });`;

  it('counts as announced in the evidence and the review, another one beside it as observed', async () => {
    bed.speaks(breaksOff);
    const run = await bed.withClaude('run', bed.agentPlan('stream'), '--by', 'Ada');
    assert.equal(run.code, 3, run.stdout + run.stderr);
    await bed.mission('cancel', 'stream', ...decision);
    const summary = bed.read('docs/ops/executions/stream/EXECUTION_SUMMARY.md');
    assert.match(summary, /`docs\/out\/named` \| added \| worker \| in scope \|/);
    assert.match(
      summary,
      /`docs\/out\/silent` \| added \| worker, by its time \| in scope; observed, not announced \|/,
    );
    const shown = (await bed.mission('diff', 'stream')).json as unknown as {
      readonly files: readonly { readonly path: string; readonly unannounced?: readonly string[] }[];
    };
    assert.deepEqual(
      shown.files.map(({ path, unannounced }) => [path, unannounced]),
      [
        ['docs/out/named', undefined],
        ['docs/out/silent', ['T1']],
      ],
    );
  });

  it('counts as announced where the worker ended before its owner saw it run', async () => {
    bed.speaks(breaksOff);
    const point = 'process.spawn(supervisor.cjs own 1-T1)#1:after';
    const { signal } = await bed.killedAt(point, 'run', bed.agentPlan('quick'), '--by', 'Ada');
    assert.equal(signal, 'SIGKILL');
    await until(() => globSync(bed.at('.mission-control/missions/*/runs/1-T1/exit.json')).length === 1);
    await bed.withClaude('resume', 'quick', ...decision);
    const ended = (await bed.events('quick')).find((event) => event.type === 'WorkerEnded');
    assert.deepEqual(ended?.end.announced, ['docs/out/named']);
  });

  it('is left by the earlier attempt, as the next worker reads, and of the other nothing shows who wrote it', async () => {
    const prompts = path.join(bed.scratch, 'prompts');
    bed.speaks(`fs.appendFileSync(${JSON.stringify(prompts)}, prompt);${breaksOff}`);
    await bed.withClaude('run', bed.agentPlan('again'), '--by', 'Ada');
    await bed.withClaude('retry', 'again', 'T1', ...decision);
    await bed.mission('cancel', 'again', ...decision);
    const told = readFileSync(prompts, 'utf8');
    assert.match(told, /^Its worker announced these changes: added docs\/out\/named\.$/m);
    assert.match(told, /^These changed while it ran, and nothing shows who changed them: added docs\/out\/silent\.$/m);
    assert.doesNotMatch(told, /It left these changes/);
  });

  it('may be claimed by the next attempt that finds it as it was left, and not where it is gone', async () => {
    bed.speaks(`fs.mkdirSync('docs/out', { recursive: true });
      for (const name of ['a', 'b']) if (!fs.existsSync('done')) fs.writeFileSync('docs/out/' + name, name);
      fs.writeFileSync('docs/out/c', String(Date.now()));
      end('done', 'docs/out/a', 'docs/out/b', 'docs/out/c');`);
    bed.write('check.mjs', 'import fs from "node:fs"; if (!fs.existsSync("done")) process.exit(1);');
    const delegation = { claude_code: true, constraints: [] };
    const task = { worker: 'claude', prompt: 'x', verify: [['node', 'check.mjs']] };
    const plan = bed.plan('redo', [task], { confinement: 'off', delegation });
    assert.equal((await bed.withClaude('run', plan, '--by', 'Ada')).code, 3);
    bed.write('done', '');
    rmSync(bed.at('docs/out/b'));
    const liar = await bed.withClaude('retry', 'redo', 'T1', ...decision);
    assert.equal(liar.code, 3, liar.stdout + liar.stderr);
    const said = JSON.stringify(await bed.events('redo'));
    assert.match(said, /not observed: docs\/out\/b/);
    assert.doesNotMatch(said, /not observed: docs\/out\/a/);
    bed.write('docs/out/b', 'b');
    const again = await bed.withClaude('retry', 'redo', 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    const record = JSON.parse(bed.read('docs/ops/executions/redo/TASK_T1.json')) as TaskEvidence;
    const { comparison, earlier_work } = record.attempts?.at(-1) ?? assert.fail('no attempt');
    assert.deepEqual([comparison?.differences, earlier_work?.toSorted()], [[], ['docs/out/a', 'docs/out/b']]);
  });

  it('that was denied is named once in the block of a result that claims it', async () => {
    bed.speaks("denied('/elsewhere/x'); denied('/elsewhere/x'); end('done', 'docs/out/x');");
    const run = await bed.withClaude('run', bed.agentPlan('refused'), '--by', 'Ada');
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const said = JSON.stringify(await bed.events('refused'));
    const [, denials = ''] = /"claimed, but not observed: docs\/out\/x"((?:,"denied: [^"]*")*)/.exec(said) ?? [];
    assert.match(denials, /^,"denied: Write \/elsewhere\/x [^"]*"$/);
  });
});
