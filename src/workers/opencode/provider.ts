import { awsCredentials, configured, isSet, present, refusedKey, tableAt, textAt } from '../shared/provider';
import type { ConfigFile, ConfigPlaces, Provider, ProviderDecision, ProviderQuestion } from '../worker';

/** OpenCode reads the first three itself; our launch replaces what the variables name. */
function configsOf({ home, environment }: ConfigPlaces): readonly ConfigFile[] {
  const named = environment['XDG_CONFIG_HOME'];
  const own = `${isSet(named) ? named : `${home}/.config`}/opencode`;
  return ['config.json', 'opencode.json', 'opencode.jsonc']
    .map((name) => ({ path: `${own}/${name}`, format: 'json' as const }))
    .concat(replaced(environment).map((path) => ({ path, format: 'json' as const })));
}

/** Files that variables name and our launch line puts others in the place of. */
function replaced(environment: ConfigPlaces['environment']): readonly string[] {
  const { OPENCODE_CONFIG: file, OPENCODE_CONFIG_DIR: folder } = environment;
  return [
    ...(isSet(file) ? [file] : []),
    ...(isSet(folder) ? [`${folder}/opencode.json`, `${folder}/opencode.jsonc`] : []),
  ];
}

/** Keys of opencode.json that say where a model answers. */
const leading = ['provider', 'model', 'small_model', 'enabled_providers', 'disabled_providers', 'enterprise'];

/** Decides where OpenCode leads: to the base URLs of its own files; a built-in provider is named by the model. */
function leads({ configs, here }: ProviderQuestion): ProviderDecision {
  const lost = replaced(here);
  for (const { path, value } of present(configs)) {
    const key = lost.includes(path) ? leading.find((name) => Object.hasOwn(value, name)) : undefined;
    if (key !== undefined) return refusedKey(path, key, notRead(configs));
  }
  const content = here['OPENCODE_CONFIG_CONTENT'];
  const key = isSet(content) ? leading.find((name) => content.includes(`"${name}"`)) : undefined;
  if (key !== undefined) return refusedKey('the variable OPENCODE_CONFIG_CONTENT', key, notRead(configs));
  const hosts = new Set<string>();
  const named: string[] = [];
  let without = false;
  for (const { path, value } of present(configs).filter((config) => !lost.includes(config.path))) {
    for (const [name, provider] of Object.entries(tableAt(value, 'provider') ?? {})) {
      const url = textAt(provider, 'options', 'baseURL') ?? textAt(provider, 'api');
      if (url !== null && /^\{(env|file):/.test(url))
        return refusedKey(path, `provider.${name}.options.baseURL`, {
          reason: 'its value is looked up at the launch, so it is unknown where it leads',
          next: 'Write the URL itself there.',
        });
      if (url !== null) hosts.add(url);
      else without = true;
      named.push(`provider.${name} in ${path}`);
    }
    const model = textAt(value, 'model');
    if (model !== null) named.push(`model in ${path}`);
  }
  if (named.length === 0) return { kind: 'default', hosts: ['opencode.ai:443', anyOther] };
  return configured([...hosts, ...(without || hosts.size === 0 ? [anyOther] : [])], named.join('; '));
}

const anyOther = 'the host of the provider that the model names';

function notRead(configs: ProviderQuestion['configs']): { readonly reason: string; readonly next: string } {
  const own = configs[1]?.path ?? 'opencode.json';
  return {
    reason: 'Mission Control starts OpenCode with a configuration of its own in that place',
    next: `Write it into ${own}, which OpenCode reads at every launch.`,
  };
}

export const provider: Provider = {
  // A person who uses another of its many providers names the host of that one.
  hosts: [{ host: 'opencode.ai:443', reason: 'The models of its own provider answer there.' }],
  baseUrls: [],
  mayNeed: [
    ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY', 'AZURE_API_KEY'],
    ...['AWS_REGION', ...awsCredentials],
    ...['GOOGLE_CLOUD_PROJECT', 'VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ],
  configs: configsOf,
  leads,
};
