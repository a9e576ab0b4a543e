import assert from 'node:assert/strict';
import { ranByOthers } from '../../../src/core/paths/ranByOthers';

describe('who runs what lies at an approved path', () => {
  const places: readonly (readonly [path: string, who: RegExp | null, alone?: boolean])[] = [
    ['.vscode/tasks.json', /^VS Code$/, true],
    ['.vscode', /^VS Code$/, true],
    ['packages/app/.vscode/settings.json', /^VS Code$/, true],
    ['.devcontainer/devcontainer.json', /container/, true],
    ['.envrc', /direnv/, true],
    ['.husky/pre-commit', /git/, true],
    ['.githooks', /git/, true],
    ['.gitattributes', /git/, true],
    ['.pre-commit-config.yaml', /git/, true],
    ['.github', /CI/, true],
    ['.github/workflows/release.yml', /CI/, true],
    ['.claude/settings.json', /agent/, true],
    ['.mcp.json', /agent/, true],
    ['CLAUDE.md', /agent/, true],
    ['package.json', /npm/, false],
    ['packages/app/package.json', /npm/, false],
    ['.npmrc', /npm/, false],
    ['.pnpmfile.cjs', /npm/, false],
    ['eslint.config.mjs', /configures/, false],
    ['Makefile', /make/, false],
    ['conftest.py', /Python/, false],
    ['Cargo.toml', /Cargo/, false],
    ['Dockerfile', /Docker/, false],
    ['flake.nix', /direnv/, true],
    ['sub/shell.nix', /direnv/, true],
    ['.bashrc', /shell/, true],
    ['.zprofile', /shell/, true],
    ['.exrc', /editor/, true],
    ['.nvim.lua', /editor/, true],
    ['.dir-locals.el', /editor/, true],
    ['.gitea/workflows/ci.yml', /CI/, true],
    ['.forgejo', /CI/, true],
    ['.gitlab/ci/build.yml', /CI/, true],
    ['src/App.csproj', /MSBuild/, true],
    ['Directory.Build.props', /MSBuild/, true],
    ['composer.json', /package manager/, false],
    ['nx.json', /package manager/, false],
    ['Vagrantfile', /build tool/, false],
    ['build.sbt', /build tool/, false],
    ['mix.exs', /build tool/, false],
    ['.bazelrc', /configures/, false],
    ['.eslintrc.json', /configures/, false],
    ['.babelrc.cjs', /configures/, false],
    ['.storybook/main.ts', /configures/, false],
    ['.new-tool.toml', /configures/, false],
    ['.gitignore', null],
    ['out/.gitkeep', null],
    ['.editorconfig', null],
    ['src', null],
    ['src/index.ts', null],
    ['docs/package.json.md', null],
    ['.github/ISSUE_TEMPLATE.md', null],
    ['.vscode/notes.md', null],
    ['vscode/tasks.json', null],
  ];
  for (const [path, who, alone = false] of places)
    it(`${path}: ${who === null ? 'no program' : `${who.source}${alone ? ', by itself' : ''}`}`, () => {
      const found = ranByOthers(path);
      assert.equal(found?.alone ?? null, who === null ? null : alone);
      if (who !== null) assert.match(found?.who ?? '', who);
    });
});
