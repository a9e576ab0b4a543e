import { isObject, type JsonObject } from '../../base/json';
import { member, textOf } from './json';
import { howToPass } from '../../base/text/passVariables';
import type { ProviderDecision, ProviderQuestion, ReadConfig } from '../worker';

/** Where an AWS client finds how to sign in, in the environment. */
export const awsCredentials = [
  'AWS_PROFILE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
] as const;

/** The table below `key`; null: the file has no such table. */
export function tableAt(value: unknown, ...keys: readonly string[]): JsonObject | null {
  const found = member(value, ...keys);
  return isObject(found) ? found : null;
}

/** The text below `key`, or null. Blank texts count as absent, as the CLIs take them. */
export function textAt(value: unknown, ...keys: readonly string[]): string | null {
  const found = textOf(value, ...keys);
  return found !== null && found.trim() !== '' ? found : null;
}

/** True for what CLIs take as a switch that is on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value.trim());
}

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** The CLI leads there by itself. @param from the file and key, or the variable, that says so */
export function configured(hosts: readonly string[], from: string): ProviderDecision {
  return { kind: 'configured', hosts, from, args: [], variables: [], alone: false };
}

/** Refuses a setting of `file` that the CLI would not get. */
export function refusedKey(
  file: string,
  key: string,
  { reason, next }: { readonly reason: string; readonly next: string },
): ProviderDecision {
  return { kind: 'refused', file, key, reason, next };
}

/** Refuses variables that are set here, lead to another host, and are not passed. The first one counts. */
export function refusedVariable(
  names: readonly string[],
  companions: readonly string[],
  { agent, here, passedVariables }: Pick<ProviderQuestion, 'here' | 'passedVariables'> & { readonly agent: string },
): ProviderDecision | null {
  const isMissing = (name: string): boolean => isSet(here[name]) && !isSet(passedVariables[name]);
  const found = names.find(isMissing);
  if (found === undefined) return null;
  const needed = [found, ...companions.filter((name) => name !== found && isMissing(name))];
  return refusedKey('the environment', found, {
    reason: `${needed.join(', ')} ${needed.length === 1 ? 'is' : 'are'} set here and not passed`,
    next: `Pass ${needed.length === 1 ? 'it' : 'them'} with ${howToPass(agent, needed)}, or unset ${found}.`,
  });
}

/** The files that are there. */
export function present(configs: readonly ReadConfig[]): readonly (ReadConfig & { readonly value: object })[] {
  return configs.flatMap((config) => (config.value === null ? [] : [{ ...config, value: config.value }]));
}
