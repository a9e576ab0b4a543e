import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readProvider } from '../../../src/adapters/launches/providers';
import { agentNames, type AgentName } from '../../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../../src/workers/registry';

describe('the provider that an agent is led to', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'mc-providers-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const read = (name: AgentName, environment: Readonly<Record<string, string>> = {}) =>
    readProvider(name, {
      worker: agentWorkers[name],
      sessionVariables: agentNames.flatMap((one) => agentWorkers[one].sessionVariables),
      environment: { HOME: home, ...environment },
      envNames: [],
      extraArgs: [],
    });
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), text);
  };

  for (const name of agentNames)
    it(`${name}: its own hosts in a fresh home`, async () => {
      const found = await read(name);
      assert.ok(found.ok);
      assert.equal(found.value.from, 'default');
    });

  it('codex: the host of base_url, its arguments and the variable that it names', async () => {
    await write(
      'codex/config.toml',
      'model_provider = "house"\n[model_providers.house]\nbase_url = "http://127.0.0.1:4/v1"\nenv_key = "HOUSE_KEY"\n',
    );
    const found = await read('codex', { CODEX_HOME: path.join(home, 'codex') });
    assert.ok(found.ok);
    assert.deepEqual(
      [found.value.hosts, found.value.variables, found.value.alone],
      [['127.0.0.1:4'], ['HOUSE_KEY'], true],
    );
  });

  it('claude: names the variables of other providers that are set here and not passed', async () => {
    const found = await read('claude', { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'p', CLAUDE_CODE_USE_BEDROCK: '0' });
    assert.deepEqual(found.ok && [...found.value.not_passed].sort(), [
      'AWS_PROFILE',
      'AWS_REGION',
      'CLAUDE_CODE_USE_BEDROCK',
    ]);
  });

  const hostile: readonly { title: string; name: AgentName; file: string; text: string }[] = [
    { title: 'TOML that is none', name: 'codex', file: '.codex/config.toml', text: 'a = "secret-in-a-broken-line\n' },
    { title: 'JSON that is none', name: 'claude', file: '.claude/settings.json', text: '{"env": {"A": secret' },
    { title: 'a list', name: 'gemini', file: '.gemini/settings.json', text: '["secret"]' },
    { title: 'too much', name: 'opencode', file: '.config/opencode/opencode.json', text: ' '.repeat(1024 * 1024 + 1) },
  ];
  for (const { title, name, file, text } of hostile)
    it(`${name}: refuses ${title} with a sentence that names the file and quotes nothing`, async () => {
      await write(file, text);
      const found = await read(name);
      assert.ok(!found.ok && found.refusal.code === 'PROVIDER_UNUSABLE');
      assert.ok(found.refusal.reason.includes(path.join(home, file)), found.refusal.reason);
      assert.doesNotMatch(found.refusal.reason, /secret/);
      assert.ok(found.refusal.next.length > 0);
    });

  it('opencode: reads comments in its file', async () => {
    await write(
      '.config/opencode/opencode.jsonc',
      '{ // mine\n "provider": {"m": {"options": {"baseURL": "https://h.example/v1"}}}, }',
    );
    const found = await read('opencode');
    assert.deepEqual(found.ok && found.value.hosts, ['h.example:443']);
  });
});
