import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { detectProject, type ProjectSurroundings } from '../../../src/core/project/detect';
import { openFields, projectText, projectValue } from '../../../src/core/project/document';
import { judgeProject } from '../../../src/core/project/judge';
import { pointerOf, projectFields, projectLocks } from '../../../src/core/project/fields';

const sound = (): Record<string, unknown> =>
  JSON.parse(readFileSync('test/fixtures/ai-project/sound.json', 'utf8')) as Record<string, unknown>;

const around = (texts: Readonly<Record<string, string>>, ...names: string[]): ProjectSurroundings => ({
  folder: 'somewhere',
  names: [...Object.keys(texts), ...names].sort(),
  texts,
  today: '2026-01-31T09:30:00.000Z',
});

const fieldOf = (value: unknown, name: string): unknown =>
  name.split('.').reduce((found, key) => (found as Record<string, unknown>)[key], value);

const judged = (value: unknown, records: Parameters<typeof judgeProject>[1] = []): readonly string[] =>
  judgeProject(value, records).map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);

describe('ai.project.json', () => {
  it('that is filled in has no finding', () => assert.deepEqual(judged(sound()), []));

  it('as it is made where nothing is known names every field to fill in, and nothing else is wrong', () => {
    const made: unknown = JSON.parse(projectText({}));
    const open = openFields({});
    assert.ok(open.length > 5);
    assert.deepEqual(
      judged(made).filter((line) => line.startsWith('error')),
      open.map(({ name }) => `error PROJECT_FIELD_EMPTY ${pointerOf(name)}`),
    );
  });

  it('has every field of the table, each of the kind the table says', () => {
    const made: unknown = JSON.parse(projectText({}));
    for (const { name, holds } of projectFields)
      for (const document of [made, sound()]) {
        const value = fieldOf(document, name);
        const kind = Array.isArray(value) ? 'list' : typeof value === 'boolean' ? 'flag' : 'text';
        assert.equal(kind, holds, name);
      }
  });

  it('locks nothing without a decision record that has a status', () => {
    for (const { lock, slug } of projectLocks) {
      const value = sound();
      const [, group = '', ...rest] = pointerOf(lock).split('/');
      const holder = rest
        .slice(0, -1)
        .reduce((found, key) => found[key] as Record<string, unknown>, value[group] as Record<string, unknown>);
      holder[rest.at(-1) ?? ''] = true;
      const missing = [`error PROJECT_LOCK_WITHOUT_ADR ${pointerOf(lock)}`];
      const record = `ADR-0002-${slug}.md`;
      assert.deepEqual(judged(value), missing);
      assert.deepEqual(judged(value, [{ name: record, status: null }]), missing);
      assert.deepEqual(judged(value, [{ name: record, status: 'Maybe' }]), missing);
      assert.deepEqual(judged(value, [{ name: `notes-${slug}.md`, status: 'Accepted' }]), missing);
      assert.deepEqual(judged(value, [{ name: record, status: 'Accepted' }]), []);
      assert.deepEqual(judged(value, null), [], 'nobody looked');
    }
  });

  it('locks nothing that it does not say, and says what work is judged by', () => {
    const value = JSON.parse(projectText({ 'architecture.style_locked': true })) as unknown;
    const lines = judged(value, [{ name: 'ADR-0001-application-style.md', status: 'Accepted' }]);
    assert.ok(lines.includes('error PROJECT_LOCK_EMPTY /architecture/style_locked'), lines.join('\n'));
    assert.ok(lines.includes('warning PROJECT_LIST_EMPTY /workflow/requires_adr_for'), lines.join('\n'));
  });

  it('holds no secret, wherever it stands', () => {
    const value = sound();
    value['x_notes'] = [{ deep: 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' }];
    assert.deepEqual(judged(value), ['error SECRET_IN_PROJECT /x_notes/0/deep']);
  });

  it('may be any JSON value', () => {
    for (const value of [null, [], 7, 'x', { meta: 7 }, { meta: { project_name: {} } }]) judgeProject(value, []);
  });
});

describe('what a workspace says about its project', () => {
  const detected: readonly (readonly [string, ProjectSurroundings, Readonly<Record<string, unknown>>])[] = [
    [
      'nothing',
      around({}),
      { 'meta.project_name': 'somewhere', 'meta.last_updated': '2026-01-31', 'tooling.languages': [] },
    ],
    [
      'a typed web app in several packages',
      around(
        {
          'package.json':
            '{"name":"shelf","description":"Lends\\n books.","workspaces":["a"],"dependencies":{"react":"19","graphql":"16"}}',
        },
        'tsconfig.json',
      ),
      {
        'meta.project_name': 'shelf',
        'meta.description': 'Lends books.',
        'architecture.monorepo': true,
        'runtime.primary_language': 'typescript',
        'runtime.execution_environment': ['browser'],
        'tooling.frameworks': ['react', 'graphql'],
        'tooling.api.style': 'graphql',
      },
    ],
    [
      'a program',
      around({ 'package.json': '{"name":"tool","bin":{"tool":"x.js"}}' }),
      { 'meta.project_type': 'cli', 'runtime.primary_language': 'javascript', 'architecture.monorepo': false },
    ],
    [
      'Python beside JavaScript',
      around({
        'package.json': 'not json',
        'pyproject.toml': '[build]\nname = "no"\n[project]\nname = "api"\ndependencies = ["fastapi>=0.1"]\n',
      }),
      {
        'meta.project_name': 'api',
        // A formatter is reason enough for a package.json: which one is the primary, a person says.
        'runtime.primary_language': undefined,
        'tooling.languages': ['javascript', 'python'],
        'tooling.api.style': 'fastapi',
      },
    ],
    [
      'Go',
      around({ 'go.mod': 'module example.org/team/shelf\n\nrequire github.com/gin-gonic/gin v1.9.1\n' }),
      {
        'meta.project_name': 'shelf',
        'runtime.primary_language': 'go',
        'tooling.frameworks': ['gin'],
        'runtime.execution_environment': ['server'],
      },
    ],
    [
      'Go of a later major version',
      around({ 'go.mod': 'module example.org/team/shelf/v2\r\n' }),
      { 'meta.project_name': 'shelf', 'tooling.frameworks': [] },
    ],
    [
      'Python that speaks of what packages of others are called',
      around({
        'pyproject.toml':
          '[project]\nname = "till"\ndescription = "An express checkout, what comes next, how people react"\ndependencies = ["Django>=5"]\n',
      }),
      { 'tooling.frameworks': ['django'], 'runtime.execution_environment': ['server'] },
    ],
    [
      'Rust',
      around({ 'Cargo.toml': '[workspace]\nmembers = ["a"]\n[package]\nname = "shelf"\n' }),
      { 'meta.project_name': 'shelf', 'runtime.primary_language': 'rust', 'architecture.monorepo': true },
    ],
    ['.NET', around({}, 'Shelf.csproj'), { 'runtime.primary_language': 'csharp' }],
    [
      'PHP',
      around({ 'composer.json': '{"name":"team/shelf","require":{"laravel/framework":"^11"}}' }),
      { 'meta.project_name': 'shelf', 'runtime.primary_language': 'php', 'tooling.frameworks': ['laravel'] },
    ],
  ];
  for (const [what, surroundings, expected] of detected)
    it(what, () => {
      const values = detectProject(surroundings);
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(values[name], value, name);
      for (const name of Object.keys(values))
        assert.ok(
          projectFields.some((field) => field.name === name),
          name,
        );
    });

  it('a person answers what a field can hold, and nothing else', () => {
    const field = (name: string) => projectFields.find((one) => one.name === name) ?? assert.fail(name);
    assert.deepEqual(projectValue(field('meta.project_type'), ' cli '), { ok: true, value: 'cli' });
    assert.equal(projectValue(field('meta.project_type'), 'shop').ok, false);
    assert.equal(projectValue(field('architecture.monorepo'), 'yes').ok, false);
    assert.deepEqual(projectValue(field('direction.secondary_goals'), 'a, ,b'), { ok: true, value: ['a', 'b'] });
  });
});
