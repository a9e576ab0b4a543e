import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { OrchestratorBed } from './orchestratorBed';

/** What a session says about itself, and what happens where its words, its server or its owner go missing. */
describe('runtime orchestrator: escapes', function () {
  this.timeout(120_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  const filesWith = (text: string, folder: string): readonly string[] =>
    readdirSync(bed.at(folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => `${file.parentPath}/${file.name}`)
      // What a session writes by itself into the one place where it can write stays there; nothing of ours reads it again.
      .filter((file) => !/-orchestrator\/work\/outbox\/[^/]+$/.test(file))
      .filter((file) => readFileSync(file).includes(text));

  for (const [what, session] of [
    [
      'in what the agent says',
      `say({ type: 'assistant', message: { content: [{ type: 'text', text: 'it is ' + token }] } });`,
    ],
    [
      'in two pieces of output',
      `process.stdout.write(token.slice(0, 20)); await wait(300); process.stdout.write(token.slice(20) + '\\n');`,
    ],
    ['in the reason of its outcome', `await choose('leave-blocked', 'because ' + token);`],
    ['in a question to a person', `await choose('ask-user', 'I must know', { question: 'Is it ' + token + '?' });`],
    [
      'in metadata',
      `await ask({ tool: 'revise_metadata', changes: { note: token }, reason: token }); await choose('leave-blocked');`,
    ],
    ['in the name of an artifact', `await ask({ tool: 'artifact', name: token }); await choose('leave-blocked');`],
  ] as const)
    it(`its own token is on no disk and in no answer, also ${what}`, async () => {
      bed.plays(
        'process.exit(1);',
        `const token = process.env.MISSION_ORCHESTRATOR_TOKEN; note({ token }); ${session}`,
      );
      const { json, stdout, stderr } = await bed.orchestrated(bed.agentPlan('token'));
      const [{ token }] = bed.notes() as [{ readonly token: string }];
      assert.ok(token.length > 40);
      assert.deepEqual(filesWith(token, '.mission-control'), []);
      assert.deepEqual(filesWith(token, 'docs'), []);
      const told = await bed.mission('status', json.mission_id);
      for (const text of [stdout, stderr, told.stdout, told.stderr]) assert.ok(!text.includes(token), text);
    });
});
