import { awsCredentials, isSet, refusedKey, tableAt, textAt } from '../shared/provider';
import type { ConfigFile, ConfigPlaces, Provider, ProviderDecision, ProviderQuestion, ReadConfig } from '../worker';

/**
 * Codex reads its provider from this file. Our launch line skips the file (`--ignore-user-config`), so what it says of
 * the provider is carried over.
 */
function configsOf({ home, environment }: ConfigPlaces): readonly ConfigFile[] {
  const folder = environment['CODEX_HOME'];
  return [{ path: `${isSet(folder) ? folder : `${home}/.codex`}/config.toml`, format: 'toml' }];
}

/** Decides where Codex leads: by config.toml, which is carried over as arguments, and by configured arguments. */
function leads(question: ProviderQuestion): ProviderDecision {
  const config = question.configs.find(({ value }) => value !== null) ?? null;
  const carried = config === null ? nothing : carriedOver(config);
  if ('kind' in carried) return carried;
  const given = givenBy(question.extraArgs);
  const provider = given.get('model_provider') ?? carried.provider ?? 'openai';
  const by = given.has('model_provider') ? 'a configured argument' : (config?.path ?? '');
  const named = provider === 'openai' ? 'openai_base_url' : `model_providers.${provider}.base_url`;
  const url = given.get(named) ?? (provider === carried.provider || provider === 'openai' ? carried.url : null);
  const from = given.has(named) && provider === 'openai' ? 'a configured argument' : by;
  const { args, variables } = carried;
  if (provider !== 'openai') {
    const hosts = [url ?? builtIn[provider] ?? `the provider ${provider}`];
    return { kind: 'configured', hosts, from: `model_provider in ${from}`, args, variables, alone: true };
  }
  const chatgpt = given.get('chatgpt_base_url') ?? carried.chatgpt;
  if (url === null && chatgpt === null && args.length === 0) {
    const note = isSet(question.here['OPENAI_BASE_URL'])
      ? 'OPENAI_BASE_URL is set here, and Codex does not read it: write openai_base_url into its config.toml.'
      : undefined;
    return { kind: 'default', hosts: usual, ...(note === undefined ? {} : { note }) };
  }
  const hosts = [...(url === null ? usual : [url]), ...(chatgpt === null ? [] : [chatgpt])];
  const key =
    url === null ? (chatgpt === null ? 'forced_chatgpt_workspace_id' : 'chatgpt_base_url') : 'openai_base_url';
  return { kind: 'configured', hosts, from: `${key} in ${from}`, args, variables, alone: false };
}

const usual = ['api.openai.com:443', 'chatgpt.com:443'];
const builtIn: Readonly<Record<string, string>> = {
  ollama: 'http://localhost:11434',
  lmstudio: 'http://localhost:1234',
};

interface Carried {
  /** Null: the built-in one. */
  readonly provider: string | null;
  readonly url: string | null;
  readonly chatgpt: string | null;
  readonly args: readonly string[];
  readonly variables: readonly string[];
}
const nothing: Carried = { provider: null, url: null, chatgpt: null, args: [], variables: [] };

/** Plain texts that Codex takes by `-c`, with the organisation whose sign-in counts. */
const plainKeys = ['openai_base_url', 'chatgpt_base_url', 'forced_chatgpt_workspace_id', 'forced_login_method'];

function carriedOver({ path, value }: ReadConfig): Carried | ProviderDecision {
  if (textAt(value, 'profile') !== null)
    return refusedKey(path, 'profile', {
      reason: 'Codex itself no longer takes a profile there',
      next: 'Write model_provider at the top of the file, and take profile out.',
    });
  const settings: string[] = [];
  for (const key of plainKeys) {
    const found = value?.[key];
    if (found === undefined) continue;
    if (typeof found !== 'string' || hasSecretPart(found)) return refusedKey(path, key, noPlainText);
    settings.push(`${key}=${JSON.stringify(found)}`);
  }
  const [url, chatgpt] = [textAt(value, 'openai_base_url'), textAt(value, 'chatgpt_base_url')];
  const provider = textAt(value, 'model_provider');
  if (value?.['model_provider'] !== undefined && provider === null)
    return refusedKey(path, 'model_provider', noPlainText);
  if (provider === null || provider === 'openai') return { ...nothing, url, chatgpt, args: arguments_(settings) };
  if (Object.hasOwn(builtIn, provider))
    return { ...nothing, provider, args: arguments_([`model_provider=${JSON.stringify(provider)}`, ...settings]) };
  const table = tableAt(value, 'model_providers', provider);
  if (table === null || !/^[A-Za-z0-9_-]+$/.test(provider))
    return refusedKey(path, 'model_provider', {
      reason:
        table === null
          ? `it names ${provider}, which [model_providers.${provider}] of the same file does not describe`
          : 'its name has other characters than letters, digits, _ and -',
      next: `Describe it in [model_providers.NAME] of ${path}, with a base_url.`,
    });
  const fields = providerFields(table);
  if ('key' in fields) return refusedKey(path, `model_providers.${provider}.${fields.key}`, fields);
  const at = `model_providers.${provider}`;
  return {
    provider,
    url: fields.url,
    chatgpt,
    args: arguments_([
      `model_provider=${JSON.stringify(provider)}`,
      ...fields.settings.map(([key, text]) => `${at}.${key}=${text}`),
      ...settings,
    ]),
    variables: fields.variables,
  };
}

const noPlainText = {
  reason: 'it is no plain text that an argument may show',
  next: 'Write a text without a name, password or key in it.',
};

/** A base URL with a name and password, or with a query, may hold a secret. */
function hasSecretPart(text: string): boolean {
  return /\/\/[^/]*@|[?#]|\p{Cc}/u.test(text);
}

function arguments_(settings: readonly string[]): readonly string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Returns what `-c key=value` of a person says; the last one counts. */
function givenBy(args: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  args.forEach((argument, index) => {
    const text =
      argument === '-c' || argument === '--config'
        ? (args[index + 1] ?? '')
        : /^(?:-c|--config)=?(.+)$/.exec(argument)?.[1];
    const parts = /^\s*([^=\s]+)\s*=\s*(.*)$/s.exec(text ?? '');
    if (parts?.[1] !== undefined) found.set(parts[1], (parts[2] ?? '').trim().replace(/^(["'])(.*)\1$/s, '$2'));
  });
  return found;
}

/** The fields of one `[model_providers.NAME]` as TOML values, or the field that cannot be carried over. */
type ProviderFields =
  | {
      readonly url: string;
      readonly settings: readonly (readonly [key: string, toml: string])[];
      readonly variables: readonly string[];
    }
  | { readonly key: string; readonly reason: string; readonly next: string };

/** Reads only plain data, because every user of the machine can see an argument, and evidence keeps it. */
function providerFields(table: Readonly<Record<string, unknown>>): ProviderFields {
  const settings: (readonly [string, string])[] = [];
  const variables: string[] = [];
  for (const [key, value] of Object.entries(table)) {
    const secret = secretKeys[key];
    if (secret !== undefined) return { key, ...secret };
    const toml = fieldValue(key, value);
    if (toml === null) return { key, reason: 'Mission Control carries no such field over', next: takeOut(key) };
    settings.push([key, toml]);
    if (key === 'env_key') variables.push(String(value));
    if (key === 'env_http_headers') variables.push(...Object.values(tableAt(value) ?? {}).map(String));
  }
  const url = table['base_url'];
  if (typeof url !== 'string')
    return { key: 'base_url', reason: 'it is missing', next: 'Write where the provider answers: base_url.' };
  return { url, settings, variables };
}

const secretKeys: Readonly<Record<string, { readonly reason: string; readonly next: string }>> = {
  experimental_bearer_token: {
    reason: 'it is a secret, which must not stand in an argument',
    next: 'Keep it in a variable, and name the variable with env_key.',
  },
  http_headers: {
    reason: 'a header may hold a secret, which must not stand in an argument',
    next: 'Keep each value in a variable, and name the variables in env_http_headers.',
  },
  auth: {
    reason: 'it is a command',
    next: 'Keep the token in a variable, and name the variable with env_key.',
  },
};

/** Null: the field is unknown, or its value is not plain data. */
function fieldValue(key: string, value: unknown): string | null {
  switch (key) {
    case 'name':
    case 'wire_api':
    case 'env_key_instructions':
      return plainText(value);
    case 'base_url':
      return typeof value === 'string' && !/\/\/[^/]*@|[?#]/.test(value) ? plainText(value) : null;
    case 'env_key':
      return isVariable(value) ? JSON.stringify(value) : null;
    case 'env_http_headers':
      return inlineTable(value, isVariable);
    case 'query_params':
      // Azure asks for api-version; anything else may be a key.
      return inlineTable(value, (text) => typeof text === 'string' && /^[0-9a-z.-]{1,40}$/.test(text), /^api-version$/);
    case 'requires_openai_auth':
    case 'supports_websockets':
      return typeof value === 'boolean' ? String(value) : null;
    case 'request_max_retries':
    case 'stream_max_retries':
    case 'stream_idle_timeout_ms':
    case 'websocket_connect_timeout_ms':
      return Number.isSafeInteger(value) ? String(value) : null;
    default:
      return null;
  }
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 2000 && !/\p{Cc}/u.test(value) ? JSON.stringify(value) : null;
}

function isVariable(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(value);
}

function inlineTable(
  value: unknown,
  fits: (text: unknown) => boolean,
  names = /^[A-Za-z0-9_-]{1,100}$/,
): string | null {
  const entries = Object.entries(tableAt(value) ?? {});
  if (entries.length > 50 || !entries.every(([name, text]) => names.test(name) && fits(text))) return null;
  return `{${entries.map(([name, text]) => `${JSON.stringify(name)}=${JSON.stringify(text)}`).join(',')}}`;
}

function takeOut(key: string): string {
  return `Take ${key} out, or write a plain value that Codex documents for it.`;
}

export const provider: Provider = {
  hosts: [
    { host: 'api.openai.com:443', reason: 'Its model answers there to an API key.' },
    { host: 'chatgpt.com:443', reason: 'Its model answers there after a sign-in with ChatGPT.' },
    { host: 'auth.openai.com:443', reason: 'A sign-in is refreshed there.' },
  ],
  baseUrls: [],
  mayNeed: ['AWS_REGION', ...awsCredentials, 'AZURE_OPENAI_API_KEY', 'CODEX_OSS_BASE_URL', 'CODEX_OSS_PORT'],
  configs: configsOf,
  leads,
};
