import { tableAt } from '../shared/provider';

/** The fields of one `[model_providers.NAME]` as TOML values, or the field that cannot be carried over. */
export type ProviderFields =
  | {
      readonly url: string;
      readonly settings: readonly (readonly [key: string, toml: string])[];
      /** Variables that the fields name. */
      readonly variables: readonly string[];
    }
  | { readonly key: string; readonly reason: string; readonly next: string };

/** Reads only plain data, because every user of the machine can see an argument, and evidence keeps it. */
export function providerFields(table: Readonly<Record<string, unknown>>): ProviderFields {
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
