import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { EventOf } from '../../src/core/model/events';
import { OrchestratorBed } from './orchestratorBed';

interface Answer {
  readonly ok: boolean;
  readonly code?: string;
  readonly reason?: string;
  readonly next?: readonly string[];
}

/** Well-signed requests with arguments that no model was shown, and sessions that die between a call and its answer. */
describe('runtime orchestrator: forged calls', function () {
  this.timeout(180_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  const asks: Readonly<Record<string, string>> = {
    'no tool of the session': `{ tool: 'constructor' }`,
    'a tool of a prototype': `{ tool: '__proto__' }`,
    'an outcome of a prototype': `{ tool: 'choose_outcome', outcome: 'toString', reason: 'x' }`,
    'a key of a prototype': `JSON.parse('{"tool":"choose_outcome","outcome":"resume","reason":"x","__proto__":{"ok":true}}')`,
    'a question with another outcome': `{ tool: 'choose_outcome', outcome: 'leave-blocked', reason: 'x', question: 'Why?' }`,
    'two choices that are the same': `{ tool: 'choose_outcome', outcome: 'ask-user', reason: 'x', question: 'Why?', choices: ['a', ' a '] }`,
    'a reason that shows nothing': `{ tool: 'choose_outcome', outcome: 'retry-repair', reason: '\\u200b\\u2060 ' }`,
    'a number as the reason': `{ tool: 'choose_outcome', outcome: 'retry-repair', reason: 7 }`,
    'a huge reason': `{ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x'.repeat(100000) }`,
    'the task of a path': `{ tool: 'revise_metadata', task_id: '../../T1', changes: { note: 'x' }, reason: 'x' }`,
    'the task of a prototype': `{ tool: 'revise_metadata', task_id: '__proto__', changes: { note: 'x' }, reason: 'x' }`,
    'a task with control characters': `{ tool: 'revise_metadata', task_id: 'T1\\u001b[2J\\u202e', changes: { note: 'x' }, reason: 'x' }`,
    'no change': `{ tool: 'revise_metadata', task_id: 'T1', changes: {}, reason: 'x' }`,
    'a field that is none': `{ tool: 'revise_metadata', task_id: 'T1', changes: { paths: ['/'] }, reason: 'x' }`,
    'changes of a prototype': `{ tool: 'revise_metadata', task_id: 'T1', changes: JSON.parse('{"__proto__":{"note":"x"}}'), reason: 'x' }`,
    'a limit without end': `{ tool: 'revise_metadata', task_id: 'T1', changes: { max_runtime_seconds: 1e308 }, reason: 'x' }`,
    'a note that ends its own block': `{ tool: 'revise_metadata', task_id: 'T1', changes: { note: '\\u202e'.repeat(70000) }, reason: 'x' }`,
    'an artifact of a prototype': `{ tool: 'artifact', name: '__proto__' }`,
    'an artifact elsewhere': `{ tool: 'artifact', name: '../../../state.db' }`,
    'an artifact with a null character': `{ tool: 'artifact', name: 'stderr.log\\u0000.md' }`,
    'a page before the first': `{ tool: 'artifact', name: 'stderr.log', offset: -1 }`,
    'a plan with a key of a prototype': `{ tool: 'propose_plan_revision', reason: 'x', plan: '{"__proto__":{"tasks":[]},"tasks":[]}' }`,
    'a plan that names a key twice': `{ tool: 'propose_plan_revision', reason: 'x', plan: PLAN.replace('"plan_id"', '"status":"APPROVED","status":"DRAFT","plan_id"') }`,
    'a plan of nested lists': `{ tool: 'propose_plan_revision', reason: 'x', plan: '['.repeat(90000) + ']'.repeat(90000) }`,
    'a plan whose task leads elsewhere': `{ tool: 'propose_plan_revision', reason: 'x', plan: PLAN.replaceAll('docs/out/', '../out/') }`,
  };

  it('arguments of every odd form are refused with a reason and a step; then the session decides as ever', async () => {
    const plan = bed.agentPlan('odd');
    bed.plays(
      'process.exit(1);',
      `
const PLAN = ${JSON.stringify(bed.read(plan))};
const raw = (request) => {
  const id = crypto.randomUUID();
  put(id + '.json', '{"schema_version":"1.0.0","id":"' + id + '","request":' + request + '}');
  return answered(id);
};
${Object.entries(asks)
  .map(([name, ask]) => `note([${JSON.stringify(name)}, await ask(${ask})]);`)
  .join('\n')}
note(['deeply nested arguments', await raw('['.repeat(100000) + ']'.repeat(100000))]);
note(['no text at all', await raw('\\u0000')]);
note(['a page after the last', await ask({ tool: 'artifact', name: 'stderr.log', offset: Number.MAX_SAFE_INTEGER })]);
note(['in the end', await choose('leave-blocked')]);`,
    );
    const { code, json, stdout, stderr } = await bed.orchestrated(plan);
    assert.deepEqual([code, json.status], [3, 'blocked'], stdout + stderr);
    const answers = bed.notes() as [string, Answer][];
    const [after, last] = answers.splice(-2);
    assert.deepEqual(
      answers.map(([name]) => name),
      [...Object.keys(asks), 'deeply nested arguments', 'no text at all'],
      bed.read(`.mission-control/missions/${json.mission_id}/runs/2-orchestrator/stderr.log`),
    );
    for (const [name, answer] of answers) {
      assert.equal(answer.ok, false, name);
      assert.match(answer.code ?? '', /^[A-Z_]+$/, name);
      assert.notEqual(answer.code, 'OWNER_SILENT', name);
      assert.ok(
        (answer.reason ?? '').length > 10 && (answer.next ?? []).length > 0,
        `${name}: ${JSON.stringify(answer)}`,
      );
    }
    assert.equal(after?.[1].ok, true, JSON.stringify(after));
    assert.equal(last?.[1].ok, true, JSON.stringify(last));
    assert.equal((await bed.endEvent(json.mission_id))?.result.kind, 'applied');
    assert.equal(bed.exists('docs/plans/PLAN_odd-r2.json'), false, 'no draft was written');
    const revised = (await bed.events(json.mission_id)).filter(({ type }) => type === 'MetadataRevised');
    assert.deepEqual(revised, []);
    const shown = (await bed.spawn(process.execPath, ['dist/cli.js', 'status', json.mission_id]).ended).stdout;
    // eslint-disable-next-line no-control-regex -- what a session wrote reaches no terminal as it is
    assert.doesNotMatch(shown, /[\u001b\u202e]/);
    assert.equal((await bed.mission('journal', 'verify', json.mission_id)).code, 0);
  });

  it('calls in another order, twice, and after the decision change nothing: the first answer to an id stays', async () => {
    const plan = bed.agentPlan('order');
    bed.plays(
      'process.exit(1);',
      `
const PLAN = ${JSON.stringify(bed.read(plan).replace('Task T1', 'Task T1, smaller'))};
const id = crypto.randomUUID();
note(await ask({ tool: 'revise_metadata', task_id: 'T1', changes: { note: 'x' }, reason: 'x' }, { id }));
note(await ask({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' }, { id }));
note((await ask({ tool: 'status' })).result.facts.decided);
note(await choose('leave-blocked'));
note([await choose('retry-repair'), await ask({ tool: 'propose_plan_revision', plan: PLAN, reason: 'x' }),
  await ask({ tool: 'revise_metadata', task_id: 'T1', changes: { note: 'y' }, reason: 'x' })].map(({ code }) => code));
note((await ask({ tool: 'status' })).result.facts.decided);`,
    );
    const { code, json, stdout, stderr } = await bed.orchestrated(plan);
    assert.deepEqual([code, json.status], [3, 'blocked'], stdout + stderr);
    const [first, again, open, chosen, late, decided] = bed.notes() as [
      Answer,
      Answer,
      unknown,
      Answer,
      unknown,
      unknown,
    ];
    assert.deepEqual([first.ok, chosen.ok], [true, true]);
    assert.deepEqual(again, first, 'the id had its answer');
    assert.deepEqual(
      [open, late, decided],
      [null, ['PACKET_CLOSED', 'PACKET_CLOSED', 'PACKET_CLOSED'], 'leave-blocked'],
    );
    assert.equal(bed.exists('docs/plans/PLAN_order-r2.json'), false);
    const asked = (await bed.events(json.mission_id)).flatMap((event) =>
      event.type === 'OrchestratorAsked' ? [event] : [],
    );
    assert.deepEqual(
      asked.map(({ tool, accepted }) => [tool, accepted]),
      [
        ['revise_metadata', true],
        ['choose_outcome', true],
        ['choose_outcome', false],
        ['propose_plan_revision', false],
        ['revise_metadata', false],
      ],
    );
  });

  const between: Readonly<Record<string, string>> = {
    'chose an outcome': `{ tool: 'choose_outcome', outcome: 'leave-blocked', reason: 'x' }`,
    'revised metadata': `{ tool: 'revise_metadata', task_id: 'T1', changes: { note: 'x' }, reason: 'x' }`,
    'proposed a plan': `{ tool: 'propose_plan_revision', reason: 'x', plan: PLAN }`,
    'read the status': `{ tool: 'status' }`,
  };
  for (const [what, ask] of Object.entries(between))
    it(`one that ${what} and dies before the answer leaves the mission whole`, async () => {
      const plan = bed.agentPlan('dies');
      bed.plays(
        'process.exit(1);',
        `
const PLAN = ${JSON.stringify(bed.read(plan).replace('Task T1', 'Task T1, smaller'))};
const message = signed(${ask});
put(message.id + '.json', JSON.stringify(message));
process.kill(process.pid, 'SIGKILL');`,
      );
      const { code, json, stdout, stderr } = await bed.orchestrated(plan);
      assert.deepEqual([code, json.status], [3, 'blocked'], stdout + stderr);
      const events = await bed.events(json.mission_id);
      const ended = events.findLast((event) => event.type === 'OrchestratorEnded');
      const asked = events.find((event): event is EventOf<'OrchestratorAsked'> => event.type === 'OrchestratorAsked');
      const decided = asked?.choice !== undefined;
      assert.equal(ended?.result.kind, decided ? 'applied' : 'undecided', JSON.stringify(ended?.result));
      const draft = 'docs/plans/PLAN_dies-r2.json';
      assert.equal(existsSync(bed.at(draft)), asked?.draft !== undefined, 'a draft is on record, or it is not there');
      assert.equal(
        events.some(({ type }) => type === 'MetadataRevised'),
        false,
        'it counts with an outcome only',
      );
      assert.equal((await bed.mission('journal', 'verify', json.mission_id)).code, 0);
      const retried = await bed.withClaude('retry', json.mission_id, 'T1', '--by', 'Ada', '--reason', 'once more');
      assert.equal(retried.json.mission.status, 'blocked', retried.stdout + retried.stderr);
    });
});
