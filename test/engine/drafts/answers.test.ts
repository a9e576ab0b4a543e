import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { createMissionPaths } from '../../../src/adapters/state/missionPaths';
import { systemClock } from '../../../src/adapters/system/clock';
import { redactText } from '../../../src/adapters/system/redact';
import { draftExample } from '../../../src/core/plan/draftExample';
import { caseSensitive } from '../../../src/core/paths/compare';
import { judgeAnswer, type JudgedDraft } from '../../../src/engine/drafts/judge';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { draftAnswer as good } from '../../support/draftAnswer';

interface Case {
  readonly name: string;
  readonly last?: string;
  readonly structured?: true;
  readonly change?: object;
  readonly task?: object;
  readonly raw?: readonly [string, string];
  readonly valid?: true;
  readonly none?: true;
  readonly codes?: readonly string[];
  readonly dropped?: readonly string[];
  readonly absent?: readonly string[];
  readonly id?: string;
}

/** What an agent may answer, hostile answers among it: findings or a cleaned DRAFT, never an exception. */
describe('the answer of an agent that drafts a plan', () => {
  let root: string;
  before(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-draft-')))));
  after(() => rmSync(root, { recursive: true }));

  const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
  const judged = (lastMessage: string | null, structured: unknown = null): Promise<JudgedDraft> =>
    judgeAnswer(
      { lastMessage, structured },
      { goal: 'Write a note', files: [], worker: 'codex', defaultWorker: 'claude', planner: 'Ada' },
      ['taken'],
      {
        plans: planFiles,
        clock: systemClock,
        paths: createMissionPaths(root, caseSensitive),
        drafts: {
          othersAtWork: () => Promise.resolve(false),
          owner: () => Promise.resolve(null),
          recordDraft: () => Promise.resolve(),
          forgetDraft: () => Promise.resolve(),
          planIds: () => Promise.resolve([]),
          read: () => Promise.resolve({ ok: false, reason: 'it is not there' }),
          redact: (text) => redactText(text).text,
        },
      },
    );
  const cases = JSON.parse(readFileSync('test/engine/drafts/answers.json', 'utf8')) as readonly Case[];
  for (const one of cases)
    it(one.name, async () => {
      const { tasks, ...rest } = { ...good, ...one.change };
      const changed = Array.isArray(tasks)
        ? (tasks as unknown[]).map((task) => (one.task ? { ...(task as object), ...one.task } : task))
        : tasks;
      const whole = JSON.stringify({ ...rest, tasks: changed }).replaceAll('SECRET', secret);
      const text = one.raw ? whole.replace(...one.raw) : whole;
      const last = one.last === undefined ? `\`\`\`json\n${text}\n\`\`\`` : one.last.replace('GOOD', text);
      const { plan, valid, findings, dropped } = one.structured ? await judged(null, good) : await judged(last);
      assert.equal(valid, one.valid ?? false, JSON.stringify(findings));
      assert.equal(plan === null, one.none ?? false);
      for (const code of one.codes ?? [])
        assert.ok(
          findings.some((finding) => finding.code === code),
          `${code}: ${JSON.stringify(findings)}`,
        );
      assert.deepEqual([...dropped].sort(), [...(one.dropped ?? [])].sort());
      if (plan === null) return;
      const written = JSON.parse(plan.text) as { readonly status: unknown; readonly approval: unknown };
      assert.deepEqual([written.status, written.approval], ['DRAFT', { required: true }]);
      assert.equal(
        plan.path,
        `docs/plans/PLAN_${one.id ?? (one.last === '```json\n{}\n```' ? 'write-a-note' : 'parser-note')}.json`,
      );
      for (const word of one.absent ?? []) assert.ok(!plan.text.includes(word === 'SECRET' ? secret : word), word);
    });

  it('that is valid names each right that it asks for, the largest first', async () => {
    const execution = {
      ...good.execution,
      network: true,
      confinement: 'off',
      devices: ['/dev/kvm'],
      env: ['API_TOKEN'],
    };
    const { rights, findings } = await judged(JSON.stringify({ ...good, execution }));
    const texts = rights.map(({ text, names = [] }) => [text, ...names].join(' '));
    for (const [index, said] of [
      /because no sandbox is around|^Nothing confines the commands/,
      /^Commands reach the whole network/,
      /^Commands reach \/dev\/kvm/,
    ].entries())
      assert.match(texts[index] ?? '', said, JSON.stringify(findings));
    assert.ok(texts.includes('Commands see the environment variables API_TOKEN'), texts.join('\n'));
  });

  it('of 2 MB, or nested without end, is a finding', async () => {
    const huge = JSON.stringify({ ...good, x_long: 'x'.repeat(2 * 1024 * 1024) });
    // What is kept of a last message begins somewhere in it.
    assert.equal((await judged(huge.slice(-256 * 1024))).plan, null);
    const deep = `\`\`\`json\n{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n\`\`\``;
    assert.deepEqual(
      (await judged(deep)).findings.map(({ code }) => code),
      ['JSON_TOO_DEEP'],
    );
    const many = `{"plan_id":"x","tasks":[${Array.from({ length: 260_000 }, () => 1).join(',')}]}`;
    assert.deepEqual(
      (await judged(many)).findings.map(({ code }) => code),
      ['JSON_TOO_MANY_VALUES'],
    );
  });

  for (const agent of agentNames)
    it(`the example for ${agent} validates`, async () => {
      const { valid, findings } = await judged(JSON.stringify(draftExample(agent)));
      assert.equal(valid, true, JSON.stringify(findings));
      assert.deepEqual(findings, []);
    });
});
