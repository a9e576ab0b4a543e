import { isObject, objectAt, parsedJson, textAt } from '../../base/json';
import type { ProjectValues } from './document';

/** What lies in the root of a workspace. The texts are hostile, because other authors wrote these files. */
export interface ProjectSurroundings {
  readonly folder: string;
  readonly names: readonly string[];
  /** Text of each of `projectManifests` that could be read. */
  readonly texts: Readonly<Record<string, string>>;
  /** ISO-8601. */
  readonly today: string;
}

/** Returns what ai.project.json can say without a question. The same folder gives the same values. */
export function detectProject(around: ProjectSurroundings): ProjectValues {
  const found = stacks(around);
  const languages = unique(found.flatMap(({ language }) => language));
  const frameworks = unique(found.flatMap((stack) => stack.frameworks));
  const places = unique([
    ...found.flatMap(({ language, frameworks: used }) =>
      used.some((one) => inBrowser.includes(one))
        ? ['browser']
        : language === 'typescript' || language === 'javascript'
          ? ['node']
          : ['server'],
    ),
  ]);
  // With several languages nothing says which is the primary one: a package.json may serve a formatter alone.
  const [primary] = languages.length === 1 ? languages : [];
  const api = frameworks.includes('fastapi') ? 'fastapi' : frameworks.includes('graphql') ? 'graphql' : null;
  const description = oneLine(found.map((stack) => stack.description).find((text) => text !== null) ?? null);
  return {
    'meta.project_name': oneLine(found.map(({ name }) => name).find((name) => name !== null) ?? null) ?? around.folder,
    'meta.last_updated': around.today.slice(0, 10),
    ...(description !== null && { 'meta.description': description }),
    ...(found.some(({ command }) => command) && { 'meta.project_type': 'cli' }),
    'architecture.monorepo':
      found.some(({ many }) => many) || around.names.some((name) => monorepoFiles.includes(name)),
    ...(primary !== undefined && { 'runtime.primary_language': primary }),
    'runtime.execution_environment': places,
    'tooling.languages': languages,
    'tooling.frameworks': frameworks,
    ...(api !== null && { 'tooling.api.style': api }),
  };
}

interface Stack {
  readonly language: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly frameworks: readonly string[];
  /** It holds several packages. */
  readonly many: boolean;
  /** It installs a program for the command line. */
  readonly command: boolean;
}

const monorepoFiles: readonly string[] = ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json', 'go.work'];
const inBrowser: readonly string[] = ['react', 'vue', 'svelte', 'angular', 'next'];

/** Package -> name of its framework, by ecosystem, because elsewhere the package's name is an ordinary word. */
const frameworkNames = {
  npm: {
    react: 'react',
    vue: 'vue',
    svelte: 'svelte',
    '@angular/core': 'angular',
    next: 'next',
    express: 'express',
    fastify: 'fastify',
    '@nestjs/core': 'nestjs',
    graphql: 'graphql',
  },
  python: { django: 'django', flask: 'flask', fastapi: 'fastapi' },
  rust: { axum: 'axum', 'actix-web': 'actix-web' },
  go: { 'github.com/gin-gonic/gin': 'gin' },
  php: { 'laravel/framework': 'laravel', 'symfony/framework-bundle': 'symfony' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

function stacks({ names, texts }: ProjectSurroundings): readonly Stack[] {
  const none = { name: null, description: null, frameworks: [], many: false, command: false } as const;
  const found: Stack[] = [];
  const node = texts['package.json'];
  if (node !== undefined) found.push(nodeStack(parsedJson(node), names.includes('tsconfig.json')));
  else if (names.includes('tsconfig.json')) found.push({ ...none, language: 'typescript' });
  const python = [texts['pyproject.toml'], texts['requirements.txt']].filter((text) => text !== undefined).join('\n');
  if (python !== '' || names.includes('setup.py'))
    found.push({
      ...none,
      ...tomlPackage(texts['pyproject.toml'] ?? '', ['project', 'tool.poetry']),
      language: 'python',
      frameworks: namedIn(python, frameworkNames.python),
    });
  const go = texts['go.mod'];
  if (go !== undefined)
    found.push({
      ...none,
      language: 'go',
      name: /^module\s+(?:\S*\/)?(?!v\d+\s*$)([^\s/]+)(?:\/v\d+)?\s*$/m.exec(go)?.[1] ?? null,
      frameworks: namedIn(go, frameworkNames.go),
    });
  const rust = texts['Cargo.toml'];
  if (rust !== undefined)
    found.push({
      ...none,
      ...tomlPackage(rust, ['package']),
      language: 'rust',
      frameworks: namedIn(rust, frameworkNames.rust),
      many: /^\[workspace\]/m.test(rust),
    });
  if (names.some((name) => /\.(?:csproj|sln|slnx)$/i.test(name)))
    found.push({ ...none, language: 'csharp', many: names.filter((name) => /\.csproj$/i.test(name)).length > 1 });
  const php = texts['composer.json'];
  if (php !== undefined) {
    const value = parsedJson(php);
    found.push({
      ...none,
      language: 'php',
      name: textAt(value, 'name')?.split('/').at(-1) ?? null,
      description: textAt(value, 'description'),
      frameworks: packagesOf(value, ['require'], frameworkNames.php),
    });
  }
  return found;
}

function nodeStack(value: unknown, typed: boolean): Stack {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies'];
  const uses = (name: string): boolean => lists.some((list) => textAt(objectAt(value, list), name) !== null);
  const manifest = isObject(value) ? value : {};
  return {
    language: typed || uses('typescript') ? 'typescript' : 'javascript',
    name: textAt(value, 'name'),
    description: textAt(value, 'description'),
    frameworks: packagesOf(value, lists, frameworkNames.npm),
    many: manifest['workspaces'] !== undefined,
    command: manifest['bin'] !== undefined,
  };
}

function packagesOf(
  value: unknown,
  lists: readonly string[],
  names: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(names).flatMap(([name, called]) =>
    lists.some((list) => textAt(objectAt(value, list), name) !== null) ? [called] : [],
  );
}

/** Frameworks whose package stands in a text as a word of its own. */
function namedIn(text: string, names: Readonly<Record<string, string>>): readonly string[] {
  const words = new Set(text.toLowerCase().match(/[a-z0-9@][\w./@-]*/g) ?? []);
  return Object.entries(names).flatMap(([name, called]) => (words.has(name) ? [called] : []));
}

/** Name and description in the first of the tables that the text has. */
function tomlPackage(text: string, tables: readonly string[]): Pick<Stack, 'name' | 'description'> {
  for (const table of tables) {
    const start = text.search(new RegExp(`^\\[${table.replaceAll('.', '\\.')}\\]`, 'm'));
    if (start === -1) continue;
    const body = text.slice(start + 1).split(/^\[/m)[0] ?? '';
    const valueOf = (key: string): string | null =>
      new RegExp(`^${key}\\s*=\\s*["']([^"'\\n]*)["']`, 'm').exec(body)?.[1] ?? null;
    return { name: valueOf('name'), description: valueOf('description') };
  }
  return { name: null, description: null };
}

function oneLine(text: string | null): string | null {
  const line = text?.replaceAll(/\s+/g, ' ').trim().slice(0, 200) ?? '';
  return line === '' ? null : line;
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}
