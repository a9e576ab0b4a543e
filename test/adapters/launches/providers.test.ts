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

  const read = (
    name: AgentName,
    environment: Readonly<Record<string, string>> = {},
    envNames: readonly string[] = [],
  ) =>
    readProvider(name, {
      worker: agentWorkers[name],
      sessionVariables: agentNames.flatMap((one) => agentWorkers[one].sessionVariables),
      environment: { HOME: home, ...environment },
      envNames,
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

  const unpassed: readonly { name: AgentName; what: string; here: Readonly<Record<string, string>> }[] = [
    { name: 'claude', what: 'Bedrock', here: { AWS_REGION: 'r', AWS_PROFILE: 'p', CLAUDE_CODE_USE_BEDROCK: '0' } },
    { name: 'claude', what: 'Vertex', here: { ANTHROPIC_VERTEX_PROJECT_ID: 'p', CLOUD_ML_REGION: 'europe-west1' } },
    { name: 'codex', what: 'Bedrock', here: { AWS_REGION: 'r', AWS_PROFILE: 'p' } },
    { name: 'codex', what: 'Azure', here: { AZURE_OPENAI_API_KEY: 'k' } },
    { name: 'opencode', what: 'Bedrock', here: { AWS_REGION: 'r', AWS_PROFILE: 'p' } },
    { name: 'opencode', what: 'Vertex', here: { GOOGLE_CLOUD_PROJECT: 'p', VERTEX_LOCATION: 'l' } },
  ];
  for (const { name, what, here } of unpassed)
    it(`${name}: names the variables of ${what} that are set here and not passed, until they are passed`, async () => {
      const found = await read(name, here);
      const names = Object.keys(here).sort();
      assert.deepEqual(found.ok && [...found.value.not_passed].sort(), names);
      assert.ok(found.ok && found.value.from.startsWith('default'));
      const passed = await read(name, here, names);
      assert.deepEqual(passed.ok && passed.value.not_passed, []);
    });

  const lost: readonly {
    name: AgentName;
    what: string;
    here: Readonly<Record<string, string>>;
    /** Passed by itself. */
    always?: Readonly<Record<string, string>>;
    leads: string;
  }[] = [
    {
      ...{
        name: 'claude',
        what: 'Bedrock',
        here: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1', AWS_SECRET_ACCESS_KEY: 's' },
      },
      leads: 'bedrock-runtime.eu-west-1.amazonaws.com:443',
    },
    {
      ...{ name: 'claude', what: 'Vertex', here: { CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'europe-west1' } },
      leads: 'europe-west1-aiplatform.googleapis.com:443',
    },
    {
      ...{ name: 'claude', what: 'a gateway', here: { CLAUDE_CODE_USE_GATEWAY: '1' } },
      leads: 'the host that CLAUDE_CODE_USE_GATEWAY chooses',
    },
    {
      ...{ name: 'gemini', what: 'a gateway', here: { GOOGLE_VERTEX_BASE_URL: 'https://gateway.example/v1' } },
      ...{ always: { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, leads: 'gateway.example:443' },
    },
  ];
  for (const { name, what, here, always = {}, leads } of lost)
    it(`${name}: is not started where the switch to ${what} is not passed, until it is passed as the refusal says`, async () => {
      const refused = await read(name, { ...here, ...always });
      assert.ok(!refused.ok && refused.refusal.code === 'PROVIDER_UNUSABLE');
      const [next = ''] = refused.refusal.next;
      assert.ok(next.includes(`the setting missionControl.env.${name})`), next);
      const named = [...next.matchAll(/--cli-env (\w+)=(\w+)/g)].map(([, agent, one = '']) => [agent, one]);
      assert.deepEqual(
        named,
        Object.keys(here).map((one) => [name, one]),
      );
      const found = await read(
        name,
        { ...here, ...always },
        named.map(([, one = '']) => one),
      );
      assert.deepEqual(found.ok && found.value.hosts, [leads]);
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
