import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';

/** Who runs what lies at an approved path. `alone`: without a person who starts it, or with rights of its own. */
export interface Runner {
  readonly who: string;
  readonly alone: boolean;
}

/** Patterns of a whole path in lower case; a folder's also of what lies in it, and of one that has it at its top. */
const ranBy: readonly (readonly [pattern: RegExp, who: string, alone?: 'alone'])[] = [
  [
    place(String.raw`\.vscode$|\.vscode/(?:tasks|settings|launch|extensions|mcp)\.json|[^/]*\.code-workspace`),
    'VS Code',
    'alone',
  ],
  [place(String.raw`\.devcontainer|\.devcontainer\.json`), 'VS Code in a container', 'alone'],
  [place(String.raw`\.idea|\.fleet|\.zed|\.exrc|\.n?vim(?:rc|\.lua)?|\.dir-locals\.el`), 'another editor', 'alone'],
  [
    place(
      String.raw`\.envrc|\.env|\.tool-versions|\.?mise\.toml|[^/]*\.nix|\.profile|\.(?:bash|z|k|c|tc)(?:sh)?_?(?:rc|profile|login|logout|env)`,
    ),
    'the shell, by direnv and the like,',
    'alone',
  ],
  [
    place(
      String.raw`\.husky|\.githooks|\.gitattributes|\.gitmodules|\.gitconfig|\.?lefthook\.ya?ml|\.pre-commit-config\.yaml`,
    ),
    'git, in hooks and filters,',
    'alone',
  ],
  [
    place(
      String.raw`\.(?:github|gitea|forgejo)$|\.(?:github|gitea|forgejo)/(?:workflows|actions|dependabot\.yml)|\.gitlab$|\.gitlab/ci|\.gitlab-ci\.yml|\.circleci|\.buildkite|\.woodpecker|\.drone\.yml|\.travis\.yml|jenkinsfile|azure-pipelines\.yml|bitbucket-pipelines\.yml`,
    ),
    'the CI of the repository, with its secrets,',
    'alone',
  ],
  [
    place(
      [
        ...agentNames.flatMap((name) => agentWorkers[name].repositoryFiles),
        ...agentNames.map((name) => agentWorkers[name].instructions.file.toLowerCase().replace('.', String.raw`\.`)),
        ...[String.raw`\.cursor`, String.raw`\.cursorrules`, String.raw`\.github/copilot-instructions\.md`],
      ].join('|'),
    ),
    'an agent CLI',
    'alone',
  ],
  [
    place(
      String.raw`(?:package|composer|nx|turbo|lerna)\.json|\.npmrc|\.pnpmfile\.cjs|\.yarnrc(?:\.yml)?|\.yarn|node_modules|bunfig\.toml|deno\.jsonc?`,
    ),
    'npm or another package manager',
  ],
  [place(String.raw`[^/]*\.config\.[cm]?[jt]s|gulpfile\.[cm]?js|gruntfile\.js`), 'the tool that it configures'],
  [
    place(
      String.raw`(?:gnu)?makefile|[^/]*\.(?:mk|cmake|bzl|bazel|gemspec|cabal|sbt)|(?:just|rake|gem|vagrant|proc|pod|tilt)file|taskfile\.ya?ml|cmakelists\.txt|meson\.build|build\.zig|package\.swift|mix\.exs`,
    ),
    'make or another build tool',
  ],
  [
    place(
      String.raw`conftest\.py|setup\.py|setup\.cfg|pyproject\.toml|tox\.ini|noxfile\.py|pytest\.ini|sitecustomize\.py|[^/]*\.pth`,
    ),
    'Python and its test tools',
  ],
  [
    place(String.raw`build\.rs|\.cargo|cargo\.toml|build\.gradle(?:\.kts)?|gradlew|gradle|pom\.xml|\.mvn|mvnw`),
    'Cargo, Gradle or Maven',
  ],
  [
    place(String.raw`[^/]*\.(?:[a-z]+proj|props|targets)`),
    'MSBuild, also for an editor that opens the folder,',
    'alone',
  ],
  [place(String.raw`dockerfile|[^/]*\.dockerfile|(?:docker-)?compose\.ya?ml`), 'Docker'],
  // A hidden name is the usual place of a configuration, which may name commands; a list of ignored paths names none.
  [/(?:^|\/)\.(?!(?:github|vscode)\/|[^/]*(?:ignore|keep)$|editorconfig$)[^/]+(?:\/|$)/, 'the tool that it configures'],
];

/** Returns who runs what a task may write at an approved path; null: no program that is known here. */
export function ranByOthers(path: string): Runner | null {
  const found = ranBy.find(([pattern]) => pattern.test(path.toLowerCase()));
  return found ? { who: found[1], alone: found[2] === 'alone' } : null;
}

/** A name or path at the end of a path, or a folder on its way. */
function place(names: string): RegExp {
  return new RegExp(`(?:^|/)(?:${names})(?:/|$)`);
}
