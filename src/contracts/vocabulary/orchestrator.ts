/** What the launch of an orchestrator session sets; the token alone is a secret and stands nowhere else. */
export const orchestratorVariables = {
  /** Ed25519 private key, PKCS8 DER in base64url: the server signs what it asks with it. */
  token: 'MISSION_ORCHESTRATOR_TOKEN',
  /** The launch id. */
  session: 'MISSION_ORCHESTRATOR_SESSION',
  /** The run directory. */
  directory: 'MISSION_ORCHESTRATOR_DIR',
} as const;

/**
 * POSIX, relative to the run directory. The session writes the first and only reads the second; the server of its tools
 * leaves the third when it starts.
 */
export const orchestratorPlaces = { outbox: 'work/outbox', answers: 'answers', started: 'work/tools-started' } as const;

/** In bytes. A page of an artifact counts before JSON escapes it, which at worst makes six bytes of one. */
export const orchestratorLimits = { request: 262_144, answer: 262_144, artifactPage: 32_768 } as const;

/** The name of the MCP server in the launch lines; models see it in the names of the tools. */
export const orchestratorServer = 'mission';

/** In the order in which an orchestrator needs them. */
export const orchestratorTools = [
  'status',
  'packet',
  'artifact',
  'revise_metadata',
  'propose_plan_revision',
  'choose_outcome',
] as const;
export type OrchestratorTool = (typeof orchestratorTools)[number];

/** The file of the mission's folder that names its last session. */
export const orchestratorSessionFile = 'orchestrator-session.json';

/**
 * What became of a session. `discarded`: it had decided, and that does not count. `undecided`: it ended without a
 * decision. `unavailable`: there was none.
 */
export const sessionResults = ['applied', 'discarded', 'undecided', 'unavailable'] as const;
