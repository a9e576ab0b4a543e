import path from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { isObject } from '../../base/json';
import { done, errorWords, type Outcome } from '../../base/outcome';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { ProviderFacts } from '../../engine/ports/workers';
import type { AgentWorker, ConfigFile, ProviderDecision, ReadConfig } from '../../workers/worker';
import { readOnce } from '../files/opened';
import { workerEnvironment } from './environment';
import { hostOfUrl } from './hosts';

/** Bytes of a configuration file; a longer one is refused. */
const longest = 1024 * 1024;

export interface ProviderSources {
  readonly worker: Pick<AgentWorker, 'environmentNames' | 'provider'>;
  readonly sessionVariables: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly envNames: readonly string[];
  readonly extraArgs: readonly string[];
}

/** Finds the hosts that a launch of this CLI leads to. Refuses a configuration that would not reach the launch. */
export async function readProvider(name: AgentName, sources: ProviderSources): Promise<Outcome<ProviderFacts>> {
  const { worker, environment, envNames, extraArgs, sessionVariables } = sources;
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? '';
  const configs: ReadConfig[] = [];
  for (const file of worker.provider.configs({ home, environment })) {
    // Skips a relative path: without a home, or from another folder, it is unknown which file the CLI would read.
    if (!path.isAbsolute(file.path)) continue;
    const read = await readConfig(name, file);
    if (!read.ok) return read;
    configs.push({ ...file, value: read.value });
  }
  const names = [...worker.environmentNames, ...envNames];
  const { values: passedVariables } = workerEnvironment({ kind: name, names, sessionVariables }, environment);
  const facts = factsOfProvider(
    name,
    worker.provider.leads({ configs, passedVariables, here: environment, extraArgs }),
  );
  if (!facts.ok) return facts;
  const missing = worker.provider.mayNeed.filter(
    (one) => (environment[one] ?? '') !== '' && passedVariables[one] === undefined,
  );
  return done({ ...facts.value, not_passed: missing.filter((one) => !facts.value.variables.includes(one)) });
}

function factsOfProvider(name: AgentName, decision: ProviderDecision): Outcome<Omit<ProviderFacts, 'not_passed'>> {
  if (decision.kind === 'refused') return unusable(name, decision.file, decision.key, decision);
  const hosts = decision.hosts.map((host) => hostOfUrl(host) ?? host);
  const unreadable = hosts.find((host) => host.includes('//'));
  if (unreadable !== undefined && decision.kind === 'configured')
    return unusable(name, decision.from, 'the base URL', { reason: 'it names no host', next: 'Write a URL there.' });
  if (decision.kind === 'default') {
    const from = `default${decision.note === undefined ? '' : `. ${decision.note}`}`;
    return done({ hosts, from, args: [], variables: [], alone: false });
  }
  const { from, args, variables, alone } = decision;
  return done({ hosts, from, args, variables, alone });
}

async function readConfig(name: AgentName, file: ConfigFile): Promise<Outcome<ReadConfig['value']>> {
  const problem = (reason: string): Outcome<never> =>
    unusable(name, file.path, 'the whole file', { reason, next: `Correct ${file.path}, or move it away.` });
  try {
    const content = await readOnce(file.path, longest, { follow: true });
    if (content.kind === 'absent') return done(null);
    if (content.kind === 'irregular') return problem(`it is a ${content.what}, not a file`);
    if (content.kind === 'too_large') return problem(`it is larger than ${longest} bytes`);
    const value = valueOf(content.bytes.toString('utf8'), file.format);
    return value === null ? problem(`it is not ${formats[file.format]}`) : done(value);
  } catch (error) {
    return problem(`it cannot be read: ${errorWords(error)}`);
  }
}

const formats = { toml: 'TOML', json: 'a JSON object', env: 'lines of NAME=value' } as const;

/** Null: the text has another format. Drops the parser's message, because it may quote a secret. */
function valueOf(text: string, format: ConfigFile['format']): ReadConfig['value'] {
  switch (format) {
    case 'toml':
      try {
        return parseToml(text);
      } catch {
        return null;
      }
    case 'json': {
      if (text.trim() === '') return {};
      const errors: { readonly error: number }[] = [];
      const value: unknown = parseJson(text, errors as never, { allowTrailingComma: true });
      return errors.length === 0 && isObject(value) ? value : null;
    }
    case 'env':
      return Object.fromEntries(
        text.split(/\r?\n/).flatMap((line) => {
          const found = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
          return found?.[1] === undefined ? [] : [[found[1], (found[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]];
        }),
      );
  }
}

function unusable(
  name: AgentName,
  file: string,
  key: string,
  { reason, next }: { readonly reason: string; readonly next: string },
): Outcome<never> {
  const sentence = `${name} would not talk to the configured provider: ${key} in ${file}: ${reason}.`;
  return { ok: false, refusal: { code: 'PROVIDER_UNUSABLE', reason: sentence, next: [next] } };
}
