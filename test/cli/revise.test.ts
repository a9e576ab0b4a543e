import assert from 'node:assert/strict';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

/** Runs longer than the plan lets it, until the gate is open: then it writes. */
const slowUntil = (gate: string): string =>
  `${start}while (!fs.existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)); fs.writeFileSync('docs/out/slow.txt', 'slow');`;
const quick = `${start}fs.writeFileSync('docs/out/quick.txt', 'quick');`;
const criteria = { success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'] };

/** A person revises metadata by hand, without an orchestrator: through `dist/cli.js`, as real processes. */
describe('mission packet revise', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());
  const text = (...args: string[]): Promise<Ended> => bed.spawn(process.execPath, [cliFile, ...args]).ended;

  it('Metadata revised by hand, without an orchestrator, ends in a completed mission', async () => {
    const slow = slowUntil(path.join(bed.scratch, 'go'));
    const plan = bed.plan('slow', [{ script: slow, max_runtime_seconds: 1 }, { script: quick }], {}, criteria);
    const approved = bed.read(plan);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.packets[0]?.category], [3, 'task_timeout'], run.stderr);
    const { packet_id } = run.json.packets[0]!;

    // The same again would end the same.
    const same = await bed.mission('retry', run.json.mission_id, 'T1', ...decision);
    assert.equal(same.code, 3, same.stdout);
    bed.open('go');
    const [packet] = (await bed.mission('packet', 'list', 'slow')).json.packets;
    assert.notEqual(packet?.packet_id, packet_id);

    const revise = ['packet', 'revise', packet!.packet_id, '--set', 'max_runtime_seconds=60'];
    const revised = await text(...revise, '--by', 'Grace', '--reason', 'it sleeps longer');
    assert.equal(revised.code, 0, revised.stderr);
    assert.match(revised.stdout, /revised from attempt 3 on: max_runtime_seconds 1 -> 60\..* stays blocked/);
    const status = await text('status', run.json.mission_id);
    assert.match(status.stdout, /revised +max_runtime_seconds 1 -> 60 from attempt 3 on, by Grace: it sleeps longer/);
    assert.match(status.stdout, /needs you/);
    const shown = await text('packet', 'show', packet!.packet_id);
    assert.match(shown.stdout, /^Revised: max_runtime_seconds 1 -> 60 .* by Grace/m);

    const retried = await bed.mission('retry', run.json.mission_id, 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stdout);
    assert.equal(retried.json.mission.status, 'completed');
    assert.equal(bed.read('docs/out/slow.txt'), 'slow');
    const evidence = bed.json('docs/ops/executions/slow/TASK_T1.json') as unknown as Revised;
    assert.deepEqual(
      evidence.metadata_revised.map(({ decision: made, ...rest }) => ({
        ...rest,
        by: made.actor.name,
        why: made.reason,
      })),
      [
        {
          before: { max_runtime_seconds: 1 },
          after: { max_runtime_seconds: 60 },
          attempt: 3,
          packet_id: packet!.packet_id,
          by: 'Grace',
          why: 'it sleeps longer',
        },
      ],
    );
    assert.match(
      bed.read('docs/ops/executions/slow/EXECUTION_SUMMARY.md'),
      /`T1` was revised from attempt 3 on by human Grace/,
    );
    assert.equal(bed.read(plan), approved, 'the approved plan changed');
    const verified = await bed.mission('evidence', 'verify', 'slow');
    assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
    assert.equal((await bed.mission('check', 'task-evidence', 'docs/ops/executions/slow/TASK_T1.json')).code, 0);
  });

  it('what is revised in no known way, or out of bounds, is refused and says what can be written', async () => {
    const run = await bed.mission('run', bed.plan('fails', [{ script: `${start}process.exit(7);` }]));
    const { mission_id } = run.json;
    const revise = (...set: string[]): Promise<Ended> =>
      bed.mission('packet', 'revise', mission_id, ...set.flatMap((one) => ['--set', one]), ...decision);
    for (const [sets, said] of [
      [[], /--set is missing/],
      [['paths=src'], /FIELD one of priority, timeout_seconds/],
      [['timeout_seconds'], /FIELD=VALUE/],
      [['timeout_seconds=soon'], /whole number of seconds from 30 to 604800\./],
      [['priority=urgent'], /one of low, normal, high, critical/],
      [['worker=command'], /one of claude, codex, gemini, opencode/],
      [['priority=high', 'priority=low'], /given twice/],
    ] as const) {
      const ended = await revise(...sets);
      assert.deepEqual([ended.code, ended.json.code], [2, 'USAGE'], ended.stdout);
      assert.match(ended.json.reason, said);
    }
    const low = await revise('timeout_seconds=5');
    assert.deepEqual([low.code, low.json.code], [2, 'REVISION_INVALID'], low.stdout);
    assert.match(low.json.next[0] ?? '', /^mission packet revise .* --task T1 --set FIELD=VALUE/);
    const unknown = await bed.mission('packet', 'revise', 'nothing', '--set', 'priority=high', ...decision);
    assert.equal(unknown.code, 2);
    assert.equal((await revise('priority=high')).code, 0);
  });
});

interface Revised {
  readonly metadata_revised: readonly {
    readonly decision: { readonly actor: { readonly name: string }; readonly reason: string };
  }[];
}
