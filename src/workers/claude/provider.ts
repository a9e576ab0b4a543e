import {
  awsCredentials,
  configured,
  isOn,
  isSet,
  present,
  refusedKey,
  refusedVariable,
  tableAt,
} from '../shared/provider';
import type { ConfigFile, ConfigPlaces, Provider, ProviderDecision, ProviderQuestion } from '../worker';

/** Claude Code reads these itself at each launch (`--setting-sources user`), and their `env` wins over variables. */
function configsOf({ home, environment }: ConfigPlaces): readonly ConfigFile[] {
  const named = environment['CLAUDE_CONFIG_DIR'];
  const folder = isSet(named) ? named : `${home}/.claude`;
  return [
    { path: `${folder}/settings.json`, format: 'json' },
    { path: '/etc/claude-code/managed-settings.json', format: 'json' },
  ];
}

interface Switch {
  readonly name: string;
  /** The variable that names another place for it. */
  readonly url: string;
  readonly companions: readonly string[];
  /** A name, or null: only a base URL names it. */
  readonly host: (of: Variables) => string | null;
}

function other(name: string, url: string, companions: readonly string[]): Switch {
  return { name, url, companions, host: () => null };
}

/** Variables that make Claude Code use another provider, each with those that this provider needs. */
const switches: readonly Switch[] = [
  {
    name: 'CLAUDE_CODE_USE_BEDROCK',
    url: 'ANTHROPIC_BEDROCK_BASE_URL',
    companions: ['AWS_REGION', 'AWS_DEFAULT_REGION', ...awsCredentials],
    host: (of: Variables) =>
      `bedrock-runtime.${of['AWS_REGION'] ?? of['AWS_DEFAULT_REGION'] ?? 'us-east-1'}.amazonaws.com`,
  },
  {
    name: 'CLAUDE_CODE_USE_VERTEX',
    url: 'ANTHROPIC_VERTEX_BASE_URL',
    companions: ['CLOUD_ML_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_APPLICATION_CREDENTIALS'],
    host: (of: Variables) => {
      const region = of['CLOUD_ML_REGION'] ?? 'us-east5';
      return region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;
    },
  },
  {
    name: 'CLAUDE_CODE_USE_FOUNDRY',
    url: 'ANTHROPIC_FOUNDRY_BASE_URL',
    companions: ['ANTHROPIC_FOUNDRY_RESOURCE', 'ANTHROPIC_FOUNDRY_API_KEY'],
    host: (of: Variables) => `${of['ANTHROPIC_FOUNDRY_RESOURCE'] ?? 'the-resource'}.services.ai.azure.com`,
  },
  // Where these lead without a base URL is documented nowhere that was tried.
  other('CLAUDE_CODE_USE_MANTLE', 'ANTHROPIC_BEDROCK_MANTLE_BASE_URL', ['AWS_REGION', ...awsCredentials]),
  other('CLAUDE_CODE_USE_ANTHROPIC_AWS', 'ANTHROPIC_AWS_BASE_URL', ['AWS_REGION', ...awsCredentials]),
  other('CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD', 'ANTHROPIC_GOOGLE_CLOUD_BASE_URL', ['CLOUD_ML_REGION']),
  other('CLAUDE_CODE_USE_GATEWAY', 'ANTHROPIC_BASE_URL', []),
];

type Variables = Readonly<Record<string, string | undefined>>;

/** Decides where Claude Code leads: by its settings, then by the variables that it gets. */
function leads({ configs, passedVariables, here, extraArgs }: ProviderQuestion): ProviderDecision {
  const named = extraArgs.find((argument) => /^--(settings|setting-sources)(=|$)/.test(argument));
  if (named !== undefined)
    return refusedKey('the configured arguments', named.replace(/=.*/s, ''), {
      reason: 'it names settings whose provider was not looked at',
      next: `Take it out, and write the settings into ${configs[0]?.path ?? 'settings.json'}.`,
    });
  const effective: Record<string, string | undefined> = { ...passedVariables };
  const sources = new Map<string, string>();
  for (const { path, value } of present(configs))
    for (const [name, text] of Object.entries(tableAt(value, 'env') ?? {})) {
      if (typeof text !== 'string' && typeof text !== 'number' && typeof text !== 'boolean') continue;
      effective[name] = String(text);
      sources.set(name, path);
    }
  const isChosen = (name: string): boolean => isOn(effective[name]);
  const dropped = switches.find(({ name }) => isOn(here[name]) && !isSet(passedVariables[name]) && !sources.has(name));
  if (dropped !== undefined) {
    const refused = refusedVariable([dropped.name], [dropped.url, ...dropped.companions], {
      agent: 'claude',
      here,
      passedVariables,
    });
    if (refused) return refused;
  }
  const from = (name: string): string => `${name} in ${sources.get(name) ?? 'the environment'}`;
  const chosen = switches.find(({ name }) => isChosen(name));
  if (chosen !== undefined) {
    const lost = isSet(here[chosen.url]) && !isSet(effective[chosen.url]);
    const refused =
      lost && refusedVariable([chosen.url], chosen.companions, { agent: 'claude', here, passedVariables });
    if (refused) return refused;
    const host = chosen.host(effective);
    const own = host === null ? `the host that ${chosen.name} chooses` : `https://${host}`;
    return configured([effective[chosen.url] ?? own], from(chosen.name));
  }
  const url = effective['ANTHROPIC_BASE_URL'];
  return isSet(url)
    ? configured([url], from('ANTHROPIC_BASE_URL'))
    : { kind: 'default', hosts: ['api.anthropic.com:443'] };
}

export const provider: Provider = {
  hosts: [
    { host: 'api.anthropic.com:443', reason: 'Its model answers there.' },
    { host: 'platform.claude.com:443', reason: 'A sign-in is refreshed there.' },
  ],
  baseUrls: ['ANTHROPIC_BASE_URL'],
  mayNeed: [...new Set(switches.flatMap(({ name, url, companions }) => [name, url, ...companions]))],
  configs: configsOf,
  leads,
};
