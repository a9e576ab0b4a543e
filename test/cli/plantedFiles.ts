import type { AgentName } from '../../src/contracts/vocabulary/workers';

/** Files by which a later launch of each CLI could be made to run or obey something; POSIX. */
export const planted: Readonly<
  Record<AgentName, { readonly home: readonly string[]; readonly workspace: readonly string[] }>
> = {
  claude: {
    home: [
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/CLAUDE.md',
      '.claude/hooks/hook.sh',
      '.claude/plugins/installed_plugins.json',
      '.claude/agents/agent.md',
      '.claude/commands/command.md',
      '.claude/skills/skill/SKILL.md',
      '.claude.json',
    ],
    workspace: ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', 'CLAUDE.md'],
  },
  codex: {
    home: [
      '.codex/config.toml',
      '.codex/AGENTS.md',
      '.codex/hooks.json',
      '.codex/rules/default.rules',
      '.codex/prompts/prompt.md',
      '.codex/skills/skill/SKILL.md',
    ],
    workspace: ['.codex/config.toml', '.codex/hooks.json', 'AGENTS.md'],
  },
  gemini: {
    home: [
      '.gemini/settings.json',
      '.gemini/trustedFolders.json',
      '.gemini/GEMINI.md',
      '.gemini/.env',
      '.gemini/policies/policy.toml',
      '.gemini/extensions/extension/gemini-extension.json',
      '.gemini/commands/command.toml',
      '.gemini/skills/skill/SKILL.md',
    ],
    workspace: ['.gemini/settings.json', '.gemini/.env', 'GEMINI.md', '.env'],
  },
  opencode: {
    home: [
      '.config/opencode/opencode.json',
      '.config/opencode/plugins/plugin.js',
      '.config/opencode/AGENTS.md',
      '.config/opencode/agents/agent.md',
      '.local/share/opencode/mcp-auth.json',
      '.cache/opencode/node_modules/plugin/index.js',
    ],
    workspace: ['opencode.json', '.opencode/plugins/plugin.js', '.opencode/agents/agent.md'],
  },
};
