import assert from 'node:assert/strict';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { ReadConfig } from '../../src/workers/worker';

/** `said`: the hosts, or file and key of the refusal. */
interface Case {
  readonly title: string;
  readonly value?: object;
  readonly file?: Partial<ReadConfig>;
  readonly here?: Readonly<Record<string, string>>;
  readonly passed?: Readonly<Record<string, string>>;
  readonly extraArgs?: readonly string[];
  readonly said: readonly string[];
  readonly args?: readonly string[];
}

function check(agent: AgentName, file: string, cases: readonly Case[]): void {
  const { title: name, provider } = agentWorkers[agent];
  describe(`where ${name} leads`, () => {
    for (const { title, value, here = {}, passed = {}, extraArgs = [], said, args, ...one } of cases)
      it(title, () => {
        const config = {
          path: file,
          format: 'json' as const,
          value: (value ?? null) as ReadConfig['value'],
          ...one.file,
        };
        const found = provider.leads({
          configs: [config],
          passedVariables: passed,
          here: { ...passed, ...here },
          extraArgs,
        });
        assert.deepEqual(found.kind === 'refused' ? [found.file, found.key] : found.hosts, said, JSON.stringify(found));
        if (args) assert.deepEqual(found.kind === 'configured' ? found.args : [], args);
      });
  });
}

const house = {
  name: 'The "house"',
  base_url: 'https://house.example/v1',
  env_key: 'HOUSE_KEY',
  wire_api: 'responses',
};
const of = (fields: object): object => ({
  model_provider: 'house',
  model_providers: { house: { ...house, ...fields } },
});
const key = (name: string): readonly string[] => ['/h/config.toml', `model_providers.house.${name}`];

check('codex', '/h/config.toml', [
  { title: 'without a file: its own hosts', said: ['api.openai.com:443', 'chatgpt.com:443'], args: [] },
  {
    title: 'with a file that names no provider',
    value: { model: 'x' },
    said: ['api.openai.com:443', 'chatgpt.com:443'],
  },
  {
    title: 'a provider of the file, carried over as quoted values',
    value: of({}),
    said: ['https://house.example/v1'],
    args: [
      ...['-c', 'model_provider="house"', '-c', 'model_providers.house.name="The \\"house\\""'],
      ...['-c', 'model_providers.house.base_url="https://house.example/v1"'],
      ...['-c', 'model_providers.house.env_key="HOUSE_KEY"', '-c', 'model_providers.house.wire_api="responses"'],
    ],
  },
  {
    title: 'the version that Azure asks for',
    value: of({ query_params: { 'api-version': '2025-04-01-preview' } }),
    said: ['https://house.example/v1'],
  },
  {
    title: 'a provider that is not selected',
    value: { model_providers: { house } },
    said: ['api.openai.com:443', 'chatgpt.com:443'],
  },
  {
    title: 'openai_base_url',
    value: { openai_base_url: 'https://eu.example/v1' },
    said: ['https://eu.example/v1'],
    args: ['-c', 'openai_base_url="https://eu.example/v1"'],
  },
  {
    title: 'chatgpt_base_url beside its own hosts',
    value: { chatgpt_base_url: 'https://c.example/' },
    said: ['api.openai.com:443', 'chatgpt.com:443', 'https://c.example/'],
  },
  {
    title: 'an organisation',
    value: { forced_chatgpt_workspace_id: 'w-1' },
    said: ['api.openai.com:443', 'chatgpt.com:443'],
    args: ['-c', 'forced_chatgpt_workspace_id="w-1"'],
  },
  { title: 'a provider of this machine', value: { model_provider: 'ollama' }, said: ['http://localhost:11434'] },
  {
    title: 'a configured argument wins',
    value: of({}),
    extraArgs: ['-c', 'model_provider=m', '-c', 'model_providers.m.base_url="http://127.0.0.1:1/v1"'],
    said: ['http://127.0.0.1:1/v1'],
  },
  { title: 'no profile', value: { profile: 'work', ...of({}) }, said: ['/h/config.toml', 'profile'] },
  {
    title: 'no provider that nothing describes',
    value: { model_provider: 'azure' },
    said: ['/h/config.toml', 'model_provider'],
  },
  { title: 'no provider that is no text', value: { model_provider: 7 }, said: ['/h/config.toml', 'model_provider'] },
  {
    title: 'no name of the object prototype',
    value: { model_provider: 'constructor', model_providers: {} },
    said: ['/h/config.toml', 'model_provider'],
  },
  { title: 'no secret', value: of({ experimental_bearer_token: 's3' }), said: key('experimental_bearer_token') },
  { title: 'no literal headers', value: of({ http_headers: { 'X-Key': 's3' } }), said: key('http_headers') },
  { title: 'no command', value: of({ auth: { command: 'sh' } }), said: key('auth') },
  { title: 'no unknown field', value: of({ aws: { profile: 'p' } }), said: key('aws') },
  { title: 'no password in the URL', value: of({ base_url: 'https://u:p@house.example/' }), said: key('base_url') },
  { title: 'no key in a query', value: of({ query_params: { key: 's3' } }), said: key('query_params') },
  { title: 'no env_key that is a value', value: of({ env_key: 'sk-1 2' }), said: key('env_key') },
  { title: 'no line end in a value', value: of({ name: 'a\nb' }), said: key('name') },
]);

check('claude', '/h/settings.json', [
  { title: 'by itself', said: ['api.anthropic.com:443'] },
  { title: 'by a variable', passed: { ANTHROPIC_BASE_URL: 'https://gw.example' }, said: ['https://gw.example'] },
  {
    title: 'by its settings, which win',
    value: { env: { ANTHROPIC_BASE_URL: 'https://s.example' } },
    passed: { ANTHROPIC_BASE_URL: 'https://gw.example' },
    said: ['https://s.example'],
  },
  {
    title: 'to Bedrock by its settings',
    value: { env: { CLAUDE_CODE_USE_BEDROCK: 1, AWS_REGION: 'eu-west-1' } },
    said: ['https://bedrock-runtime.eu-west-1.amazonaws.com'],
  },
  {
    title: 'to Vertex by passed variables',
    passed: { CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'global' },
    said: ['https://aiplatform.googleapis.com'],
  },
  {
    title: 'not while Bedrock is asked for and not passed',
    here: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1' },
    said: ['the environment', 'CLAUDE_CODE_USE_BEDROCK'],
  },
  { title: 'a switch that is off', here: { CLAUDE_CODE_USE_BEDROCK: '0' }, said: ['api.anthropic.com:443'] },
  {
    title: 'not by settings that an argument names',
    extraArgs: ['--settings', '/x.json'],
    said: ['the configured arguments', '--settings'],
  },
]);

check('gemini', '/h/.gemini/settings.json', [
  { title: 'by itself', said: ['generativelanguage.googleapis.com:443', 'cloudcode-pa.googleapis.com:443'] },
  {
    title: 'by an API key',
    value: { security: { auth: { selectedType: 'gemini-api-key' } } },
    said: ['generativelanguage.googleapis.com:443'],
  },
  {
    title: 'by a base URL',
    value: { security: { auth: { selectedType: 'gemini-api-key' } } },
    passed: { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1' },
    said: ['http://127.0.0.1:1'],
  },
  {
    title: 'to Vertex in its region',
    value: { security: { auth: { selectedType: 'vertex-ai' } } },
    passed: { GOOGLE_CLOUD_LOCATION: 'europe-west4' },
    said: ['https://europe-west4-aiplatform.googleapis.com'],
  },
  {
    title: 'not by an unknown way to sign in',
    value: { security: { auth: { selectedType: 'new' } } },
    said: ['/h/.gemini/settings.json', 'security.auth.selectedType'],
  },
  {
    title: 'not by a base URL in .env, which is lost',
    value: { GOOGLE_GEMINI_BASE_URL: 'https://x.example' },
    file: { path: '/h/.gemini/.env', format: 'env' },
    said: ['/h/.gemini/.env', 'GOOGLE_GEMINI_BASE_URL'],
  },
  {
    title: 'by a key in .env',
    value: { GEMINI_API_KEY: 'k' },
    file: { path: '/h/.gemini/.env', format: 'env' },
    said: ['generativelanguage.googleapis.com:443', 'cloudcode-pa.googleapis.com:443'],
  },
  {
    title: 'not by a variable that is not passed',
    here: { GOOGLE_VERTEX_BASE_URL: 'https://v.example' },
    said: ['the environment', 'GOOGLE_VERTEX_BASE_URL'],
  },
]);

const mock = { provider: { mock: { options: { baseURL: 'http://127.0.0.1:1/v1' } } } };
check('opencode', '/h/opencode.json', [
  { title: 'by itself', said: ['opencode.ai:443', 'the host of the provider that the model names'] },
  { title: 'by a provider of its file', value: mock, said: ['http://127.0.0.1:1/v1'] },
  {
    title: 'by a model of its file',
    value: { model: 'anthropic/x' },
    said: ['the host of the provider that the model names'],
  },
  {
    title: 'not by a URL that is looked up',
    value: { provider: { mock: { options: { baseURL: '{env:U}' } } } },
    said: ['/h/opencode.json', 'provider.mock.options.baseURL'],
  },
  {
    title: 'not by a file that our launch replaces',
    value: mock,
    here: { OPENCODE_CONFIG: '/h/opencode.json' },
    said: ['/h/opencode.json', 'provider'],
  },
  {
    title: 'not by a text that our launch replaces',
    here: { OPENCODE_CONFIG_CONTENT: '{"model":"a/b"}' },
    said: ['the variable OPENCODE_CONFIG_CONTENT', 'model'],
  },
  {
    title: 'hostile shapes',
    value: { provider: 7, model: [] },
    said: ['opencode.ai:443', 'the host of the provider that the model names'],
  },
]);
