import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { AgentBed } from './agentBed';
import { cliFile, type Ended } from './cliBed';

/** A file of the home that leads an agent to a house of its own, and what leads it there in the environment. */
const houses: Readonly<Record<AgentName, readonly [file: string | null, text: string, env: NodeJS.ProcessEnv]>> = {
  claude: [null, '', { ANTHROPIC_BASE_URL: 'https://claude.house.example' }],
  codex: [
    '.codex/config.toml',
    'model_provider = "house"\n[model_providers.house]\nname = "h"\nbase_url = "https://codex.house.example/v1"\n',
    {},
  ],
  gemini: [
    '.gemini/settings.json',
    '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
    { GOOGLE_GEMINI_BASE_URL: 'https://gemini.house.example' },
  ],
  opencode: [
    '.config/opencode/opencode.json',
    '{"provider":{"house":{"options":{"baseURL":"https://opencode.house.example/v1"}}}}',
    {},
  ],
};

describe('whom an agent talks to', () => {
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  for (const name of agentNames)
    it(`stands in the approval of a plan for ${name}`, async () => {
      const [file, text, env] = houses[name];
      if (file !== null) {
        mkdirSync(path.dirname(path.join(bed.home, file)), { recursive: true });
        writeFileSync(path.join(bed.home, file), text);
      }
      const delegation = { claude_code: true, constraints: [] };
      const plan = bed.plan('talks', [{ worker: name, prompt: 'x' }], { confinement: 'off', delegation });
      const args = [cliFile, 'plan', 'approve', plan, '--by', 'Ada', '--yes'];
      const { code, stdout, stderr } = await bed.spawn(process.execPath, args, { env: { ...bed.env, ...env } }).ended;
      assert.equal(code, 0, stdout + stderr);
      const said = new RegExp(`^ *- ${name} talks to ${name}\\.house\\.example:443 \\(`, 'm');
      assert.match(stdout, said);
    });

  it('is approved again with the options of the run that was refused: the printed steps lead to its start', async () => {
    bed.speaks(
      "fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'a'); end('done', 'docs/out/a');",
    );
    const delegation = { claude_code: true, constraints: [] };
    const draft = { status: 'DRAFT', approval: { required: true } };
    const task = { worker: 'claude' as const, prompt: 'x' };
    const plan = bed.plan('again', [task], { confinement: 'off', delegation }, draft);
    const env = { ...bed.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const type = (line: string): Promise<Ended> =>
      bed.spawn(process.execPath, [cliFile, ...line.split(' ').slice(1), '--cli', `claude=${bed.claude}`], { env })
        .ended;
    const first = `mission plan approve ${plan} --by Ada --yes`;
    assert.equal((await bed.mission(...first.split(' ').slice(1))).code, 0);
    const run = `mission run ${plan} --cli-env claude=ANTHROPIC_BASE_URL --cli-arg claude=--verbose`;
    const refused = await type(run);
    const next =
      /next: (mission plan approve .*)/.exec(refused.stdout + refused.stderr)?.[1] ??
      assert.fail(refused.stdout + refused.stderr);
    assert.match(next, / --cli-env claude=ANTHROPIC_BASE_URL --cli-arg claude=--verbose$/);
    const approved = await bed.spawn(
      process.execPath,
      [cliFile, ...next.replace('NAME', 'Ada').split(' ').slice(1), '--yes'],
      { env },
    ).ended;
    const start = /next: (mission run .*)/.exec(approved.stdout)?.[1] ?? assert.fail(approved.stdout + approved.stderr);
    const ended = await type(start);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  });
});
