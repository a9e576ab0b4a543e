import type { WorkerName } from '../../contracts/vocabulary/workers';
import { variablesOf } from '../files/inside';
import { asNode } from '../system/ownProgram';
import { nonceVariable } from '../processes/facts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The evidence records `names`; the values never reach the disk. */
export interface WorkerEnvironment {
  readonly values: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

export interface EnvironmentRequest {
  readonly kind: WorkerName | 'verify';
  readonly names: readonly string[];
  /** The variables of every agent CLI (`AgentWorker.sessionVariables`). */
  readonly sessionVariables: readonly string[];
}

/**
 * The variables that a worker or a `verify` command inherits: the platform's base list and the
 * requested names (those of the CLI and of `missionControl.env.<cli>`; for `command` and `verify`,
 * `execution.env`). A name may end in `*`. An agent or editor session sets variables for itself
 * (`sessionVariables`, VSCODE_*, NODE_OPTIONS ...). The process inherits one of these only when its
 * exact name is requested. No pattern includes it. On Windows names compare without case.
 */
export function workerEnvironment(
  { kind, names, sessionVariables }: EnvironmentRequest,
  source: Environment,
  platform: NodeJS.Platform = process.platform,
): WorkerEnvironment {
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const base = [
    ...everywhere,
    ...(platform === 'win32' ? onWindows : onPosix),
    ...(kind === 'command' || kind === 'verify' ? [] : forAgents),
  ];
  const wantedNames = [...base, ...names].map(fold);
  const ofSessions = [...sessionVariables, ...ofEditors].map((name) => name.toUpperCase());

  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || neverInherited.has(name.toUpperCase())) continue;
    const wanted =
      wantedNames.includes(fold(name)) ||
      (!matches(name.toUpperCase(), ofSessions) && matches(fold(name), wantedNames));
    if (wanted) values[name] = value;
  }
  return { values, names: Object.keys(values).sort() };
}

/**
 * Those of a worker's values that the plan or settings name, and no base list. `own`: the variables of its CLI, such as
 * the name of its model, which its stream has to show.
 */
export function requestedIn(
  values: Readonly<Record<string, string>>,
  kind: WorkerName = 'command',
  own: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<string, string>> {
  const base = workerEnvironment({ kind, names: own, sessionVariables: [] }, values, platform).values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in base)));
}

/**
 * The supervisor's own environment. It is small and holds the worker's values under a prefix. So none of them
 * (NODE_OPTIONS, LD_PRELOAD) affects the supervisor. Electron needs a variable to run as Node.
 */
export function supervisorEnvironment(
  source: Environment,
  values: Readonly<Record<string, string>>,
  node: Readonly<Record<string, string>> = asNode,
): Record<string, string> {
  const own = variablesOf(source, platformNeeds);
  const carried = Object.entries(values).map(([name, value]) => [carriedPrefix + name, value] as const);
  return { ...own, ...Object.fromEntries(carried), ...node };
}

/** In the supervisor: restores the worker's values. */
export function carriedEnvironment(source: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value !== undefined && name.startsWith(carriedPrefix) ? [[name.slice(carriedPrefix.length), value]] : [],
    ),
  );
}

const carriedPrefix = 'MISSION_WORKER_ENV_';

const everywhere = [
  ...['PATH', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE'],
  ...['CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
];
const onPosix = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  // macOS keychain and text encoding
  ...['__CF_USER_TEXT_ENCODING', 'SECURITYSESSIONID'],
];
const onWindows = [
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'OS'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ALLUSERSPROFILE'],
  ...['PUBLIC', 'ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'],
  ...['CommonProgramFiles', 'CommonProgramFiles(x86)', 'CommonProgramW6432', 'TEMP', 'TMP', 'PSModulePath'],
  ...['USERPROFILE', 'USERNAME', 'USERDOMAIN', 'COMPUTERNAME', 'HOMEDRIVE', 'HOMEPATH'],
];
/** Agents need these for a person's sign-in, and for the ssh identity in git. */
const forAgents = ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS'];

/** Variables that Node needs to run. */
const platformNeeds = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'TEMP', 'TMP', 'USERPROFILE'],
];

/** Variables that would change our own programs; never inherited, even when requested. */
const neverInherited: ReadonlySet<string> = new Set([
  ...['ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', nonceVariable],
]);

/** Variables that editors, package managers and Mission Control set for their own children. */
const ofEditors = ['VSCODE_*', 'ELECTRON_*', 'CHROME_*', 'npm_*', 'NODE_OPTIONS', 'MISSION_*'];

/** Returns whether a pattern names the variable; a pattern of only `*` matches none. */
function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? /[^*]\*$/.test(pattern) && name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
