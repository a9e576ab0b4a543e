/**
 * Where tools keep what they can make or fetch again: in the folder of a variable, or below HOME. No entry is a folder
 * with settings or sign-ins, such as `.cargo` or `.m2` themselves: these stay read-only, as all of HOME.
 */
export const cachePlaces: readonly CachePlace[] = [
  // Go's builds, pip, uv, Deno, Yarn, Composer, ccache, Coursier and most others.
  { variable: 'XDG_CACHE_HOME', below: '', otherwise: '.cache' },
  { variable: null, below: '', otherwise: 'Library/Caches', only: 'darwin' },
  { variable: 'GOCACHE', below: '', otherwise: null },
  { variable: 'PIP_CACHE_DIR', below: '', otherwise: null },
  { variable: 'UV_CACHE_DIR', below: '', otherwise: null },
  { variable: 'GOMODCACHE', below: '', otherwise: null },
  { variable: 'GOPATH', below: 'pkg', otherwise: 'go/pkg' },
  { variable: 'CARGO_HOME', below: 'registry', otherwise: '.cargo/registry' },
  { variable: 'CARGO_HOME', below: 'git', otherwise: '.cargo/git' },
  { variable: 'npm_config_cache', below: '', otherwise: '.npm' },
  { variable: 'XDG_DATA_HOME', below: 'pnpm/store', otherwise: '.local/share/pnpm/store' },
  { variable: 'PNPM_HOME', below: 'store', otherwise: null },
  { variable: 'pnpm_config_store_dir', below: '', otherwise: null },
  { variable: 'npm_config_store_dir', below: '', otherwise: null },
  { variable: 'YARN_GLOBAL_FOLDER', below: '', otherwise: '.yarn/berry' },
  { variable: 'BUN_INSTALL_CACHE_DIR', below: '', otherwise: '.bun/install/cache' },
  ...['caches', 'wrapper', 'daemon', 'native', 'notifications', 'workers', 'kotlin', '.tmp'].map((below) => ({
    ...{ variable: 'GRADLE_USER_HOME', below },
    otherwise: `.gradle/${below}`,
  })),
  { variable: null, below: '', otherwise: '.m2/repository' },
  { variable: null, below: '', otherwise: '.m2/wrapper' },
  { variable: null, below: '', otherwise: '.ivy2/cache' },
  { variable: 'NUGET_PACKAGES', below: '', otherwise: '.nuget/packages' },
  { variable: 'CCACHE_DIR', below: '', otherwise: '.ccache' },
];

export interface CachePlace {
  readonly variable: string | null;
  /** Below the folder of the variable; POSIX. */
  readonly below: string;
  /** Below HOME; null: another entry holds the usual place. */
  readonly otherwise: string | null;
  readonly only?: 'darwin';
}

/** Where nothing can be mounted, these variables lead to folders of a workspace, which begin empty. */
export const cacheVariables = [
  ...['XDG_CACHE_HOME', 'GOCACHE', 'PIP_CACHE_DIR', 'UV_CACHE_DIR', 'npm_config_cache', 'CCACHE_DIR'],
] as const;

/** What tools sign in with lies so near to the top of a cache; deeper are packages, which have such names too. */
export const signInDepth = 3;

/** Names of files and folders that tools sign in with; no layer keeps them. */
export const signIns =
  /^(?:token|stored_tokens|auth|credentials|.*credentials.*\.json|(?:credentials|auth)\.toml|auth\.json|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|settings(?:-security)?\.xml|gradle\.properties|pip\.conf|hex\.config|NuGet\.Config)$/i;

/** Those of them that no tool needs without a network, so a launch in the sandbox does not see them. */
export const hiddenSignIns =
  /^(?:token|stored_tokens|auth|credentials|.*credentials.*\.json|(?:credentials|auth)\.toml|auth\.json)$/i;

/** Settings that tools need without a network too, so that a launch sees them although they may hold a token. */
export const settingsWithTokens =
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.condarc|\.gitconfig|settings(?:-security)?\.xml|gradle\.properties|pip\.conf|hex\.config|NuGet\.Config)$/i;
