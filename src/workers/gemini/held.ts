import { inRunDir, inSandbox, temporaryDirectory } from '../shared/launchLine';
import type { LaunchRequest } from '../worker';

export const policyFile = 'policy.toml';
export const trustFile = 'trusted-folders.json';

/**
 * Denied in the user tier, which overrides the user's own rules. The CLI silently ignores a missing
 * policy file and only warns about a broken one. So the launch may begin only after the file was
 * written.
 */
const withheld = [
  'run_shell_command',
  'web_fetch',
  'google_web_search',
  'invoke_agent',
  'activate_skill',
  'enter_plan_mode',
  'save_memory',
];
const writingTools = ['write_file', 'replace'];

/** The text of the policy file that takes tools away. */
export function withholding(writes: boolean): string {
  const names = [...withheld, ...(writes ? [] : writingTools)].map((name) => JSON.stringify(name));
  return `[[rule]]\ntoolName = [${names.join(', ')}]\ndecision = "deny"\npriority = 900\n`;
}

/**
 * Keeps the CLI from starting itself as a second process: the first one swallows SIGTERM, and the second takes as long
 * again to load.
 */
export const startVariables = { GEMINI_CLI_NO_RELAUNCH: 'true' } as const;

export function environment(request: Pick<LaunchRequest, 'runDir' | 'model'>): Readonly<Record<string, string>> {
  return {
    ...startVariables,
    // In a folder the user once trusted, the repository's .gemini/settings.json was seen to run its hook and
    // its MCP server. An empty list of trusted folders for this launch stops both.
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: inRunDir(request, trustFile),
    ...temporaryDirectory(request),
    // With a display and no sign-in it asks on stdout whether to open a browser, and waits for ever.
    NO_BROWSER: 'true',
    NO_COLOR: '1',
  };
}

/**
 * Says what the CLI reads although the plan does not name it. No setting switches it off: `context.fileName` only adds
 * names, and without trust the CLI does not start.
 */
export function ownReading(request: Pick<LaunchRequest, 'runDir' | 'model' | 'heldBy'>): string {
  const persons = inSandbox(request) ? '' : ', and GEMINI.md of the person';
  return `Gemini CLI also reads GEMINI.md in the workspace${persons} by itself, which no option prevents.`;
}
