import { isSet, refusedKey, tableAt, textAt } from '../shared/provider';
import type { ConfigFile, ConfigPlaces, ProviderDecision, ProviderQuestion, ReadConfig } from '../worker';
import { providerFields } from './providerFields';

/**
 * Codex reads its provider from this file. Our launch line skips the file (`--ignore-user-config`), so what it says of
 * the provider is carried over.
 */
export function codexConfigs({ home, environment }: ConfigPlaces): readonly ConfigFile[] {
  const folder = environment['CODEX_HOME'];
  return [{ path: `${isSet(folder) ? folder : `${home}/.codex`}/config.toml`, format: 'toml' }];
}

/** Decides where Codex leads: by config.toml, which is carried over as arguments, and by configured arguments. */
export function codexProvider(question: ProviderQuestion): ProviderDecision {
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
