import { configured, isOn, isSet, present, refusedKey, refusedVariable, textAt } from '../shared/provider';
import type { ConfigFile, ConfigPlaces, Provider, ProviderDecision, ProviderQuestion } from '../worker';

/**
 * Gemini CLI reads its settings itself at each launch. Of a `.env` it takes only keys and projects, because our launch
 * trusts no folder: a base URL there is lost.
 */
function configsOf({ home, environment }: ConfigPlaces): readonly ConfigFile[] {
  const named = environment['GEMINI_CLI_HOME'];
  const folder = isSet(named) ? named : home;
  return [
    { path: `${folder}/.gemini/settings.json`, format: 'json' },
    { path: '/etc/gemini-cli/settings.json', format: 'json' },
    { path: `${folder}/.gemini/.env`, format: 'env' },
    { path: `${folder}/.env`, format: 'env' },
  ];
}

const places = {
  key: { url: 'GOOGLE_GEMINI_BASE_URL', host: 'generativelanguage.googleapis.com:443' },
  vertex: { url: 'GOOGLE_VERTEX_BASE_URL', host: null },
  login: { url: 'CODE_ASSIST_ENDPOINT', host: 'cloudcode-pa.googleapis.com:443' },
} as const;

/** Variables that lead Gemini CLI to another host. */
const leading = [...Object.values(places).map(({ url }) => url), 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'];

/** Decides where Gemini CLI leads: by the chosen way to sign in, then by the variables that it gets. */
function leads({ configs, passedVariables, here }: ProviderQuestion): ProviderDecision {
  for (const { path, format, value } of present(configs)) {
    const lost =
      format === 'env'
        ? leading.find((name) => textAt(value, name) !== null && !isSet(passedVariables[name]))
        : undefined;
    if (lost !== undefined)
      return refusedKey(path, lost, {
        reason: 'Gemini CLI reads no such variable there in a folder that it does not trust',
        next: `Set ${lost} in the environment and pass it with --cli-env gemini=${lost}, or take it out.`,
      });
  }
  const notPassed = refusedVariable(leading, ['GOOGLE_CLOUD_LOCATION'], { agent: 'gemini', here, passedVariables });
  if (notPassed) return notPassed;
  const settings = present(configs).filter(({ format, value }) => {
    return format === 'json' && textAt(value, 'security', 'auth', 'selectedType') !== null;
  });
  const last = settings.at(-1);
  const selected = last ? textAt(last.value, 'security', 'auth', 'selectedType') : null;
  const way = last && selected !== null ? wayOf(selected) : byVariables(passedVariables);
  if (way === undefined)
    return refusedKey(last?.path ?? 'settings.json', 'security.auth.selectedType', {
      reason: 'Mission Control knows no host for this way to sign in',
      next: 'Choose oauth-personal, gemini-api-key, vertex-ai or gateway.',
    });
  const chosen = selected === null ? null : `security.auth.selectedType in ${last?.path ?? ''}`;
  if (way === null) return { kind: 'default', hosts: [places.key.host, places.login.host] };
  const { url, host } = places[way];
  const base = passedVariables[url];
  if (isSet(base)) return configured([base], `${url} in the environment`);
  if (way !== 'vertex') return { kind: 'default', hosts: [host ?? places.key.host] };
  const region = passedVariables['GOOGLE_CLOUD_LOCATION'];
  const vertex =
    !isSet(region) || region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;
  return configured([`https://${vertex}`], chosen ?? 'GOOGLE_GENAI_USE_VERTEXAI in the environment');
}

function wayOf(selected: string): keyof typeof places | undefined {
  switch (selected) {
    case 'gemini-api-key':
    case 'gateway':
      return 'key';
    case 'vertex-ai':
      return 'vertex';
    case 'oauth-personal':
    case 'cloud-shell':
    case 'compute-default-credentials':
      return 'login';
    default:
      return undefined;
  }
}

function byVariables(passedVariables: Readonly<Record<string, string>>): keyof typeof places | null {
  if (isOn(passedVariables['GOOGLE_GENAI_USE_GCA'])) return 'login';
  if (isOn(passedVariables['GOOGLE_GENAI_USE_VERTEXAI'])) return 'vertex';
  return isSet(passedVariables['GEMINI_API_KEY']) || isSet(passedVariables['GOOGLE_GEMINI_BASE_URL']) ? 'key' : null;
}

export const provider: Provider = {
  hosts: [
    { host: 'generativelanguage.googleapis.com:443', reason: 'Its model answers there to an API key.' },
    { host: 'cloudcode-pa.googleapis.com:443', reason: 'Its model answers there after a sign-in.' },
    { host: 'aiplatform.googleapis.com:443', reason: 'Its model answers there to a project of Vertex AI.' },
    { host: 'oauth2.googleapis.com:443', reason: 'A sign-in is refreshed there.' },
  ],
  baseUrls: ['GOOGLE_GEMINI_BASE_URL'],
  mayNeed: ['GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT', 'GOOGLE_GENAI_USE_GCA'],
  configs: configsOf,
  leads,
};
