import type { LaunchEnd } from '../model/facts';

/** The variables that a command may have missed, as a detail of its block; empty: none. */
export function variableHint({ unpassed = [] }: Pick<LaunchEnd, 'unpassed'>): readonly string[] {
  if (unpassed.length === 0) return [];
  const it = unpassed.length === 1 ? 'it' : 'them';
  return [
    `Set here and not passed to it: ${unpassed.join(', ')}. Name ${it} in execution.env of the plan, which passes ${it}.`,
  ];
}

/** Finds the variables that are set here and not passed, and that the words of a program point to. */
export function variablesMeant(said: string, unpassed: readonly string[]): readonly string[] {
  return unpassed
    .filter((name) => {
      const known = meant.find(({ names }) => names.includes(name))?.pattern.test(said) === true;
      return known || ((name.includes('_') || spoken.has(name)) && word(name).test(said));
    })
    .slice(0, mostNames);
}

const mostNames = 10;

/** Names that the list below lacks, and that mean nothing but the variable. */
const spoken: ReadonlySet<string> = new Set(['CI', 'GOROOT', 'DEBUG', 'PYTHONPATH']);

/** What programs say when they lack a variable and do not name it. */
const meant: readonly { readonly names: readonly string[]; readonly pattern: RegExp }[] = [
  {
    names: ['RUSTUP_HOME', 'CARGO_HOME', 'RUSTUP_TOOLCHAIN'],
    pattern:
      /\brustup could not choose\b|\bno default toolchain\b|\btoolchain '[^']*' is not installed|\bcould not create home directory: '[^']*rustup/,
  },
  { names: ['VIRTUAL_ENV', 'PYTHONPATH', 'CONDA_PREFIX'], pattern: /\bModuleNotFoundError\b|\bNo module named\b/ },
  {
    names: ['JAVA_HOME', 'JDK_HOME'],
    pattern: /\bNo Java\b|\bJava Runtime\b|\bno compiler is provided\b|\bjava: not found/i,
  },
  { names: ['GOFLAGS', 'GOPATH', 'GOPROXY', 'GOPRIVATE', 'GOROOT', 'GOCACHE', 'GOMODCACHE'], pattern: /^go: /m },
  { names: ['ANDROID_HOME', 'ANDROID_SDK_ROOT'], pattern: /\bSDK location not found\b/ },
  { names: ['NODE_PATH', 'NODE_OPTIONS'], pattern: /\bERR_MODULE_NOT_FOUND\b|\bCannot find module\b/ },
];

function word(name: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9_])${name.replace(/[^A-Za-z0-9_]/g, '')}(?![A-Za-z0-9_])`);
}
