import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { AgentBed } from './agentBed';
import { cliFile } from './cliBed';

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
});
