import assert from 'node:assert/strict';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { classifyDenial } from '../../src/core/recovery/permission/classify';
import { signalsOf, type Written } from './sessions';

const claude = (result: string, fields: object = {}): Written => ({
  stdout: [{ type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', result, ...fields }],
});
const failedBy = (error: string, words: string, parent: string | null = null): Written => ({
  stdout: [
    {
      type: 'assistant',
      parent_tool_use_id: parent,
      error,
      message: { content: [{ type: 'text', text: words }] },
    },
    ...(claude(words).stdout ?? []),
  ],
});
const codex = (message: string): Written => ({ stdout: [{ type: 'turn.failed', error: { message } }] });
const gemini = (message: string): Written => ({
  stdout: [{ type: 'result', status: 'error', error: { type: 'unknown', message } }],
});
const opencode = (message: string, statusCode?: number): Written => ({
  stdout: [{ type: 'error', error: { name: 'APIError', data: { message, ...(statusCode && { statusCode }) } } }],
});

const prompt = '\nOpening authentication page in your browser. Do you want to continue? [Y/n]: ';
const manual =
  'Manual authorization is required but the current session is non-interactive. Please run the Gemini CLI in an interactive terminal to log in, provide a GEMINI_API_KEY, or ensure Application Default Credentials are configured.';

/** What the CLIs write when a sign-in is missing, expired, revoked or refused. */
const unsigned: readonly [AgentName, Written][] = [
  // anthropics/claude-code#13350, #9635, #29497: a 403, so no 401 is in its words.
  ['claude', claude('OAuth token revoked · Please run /login')],
  // anthropics/claude-code#50411
  ['claude', claude('Please run /login · API Error: 403 {"error":{"type":"forbidden","message":"no"}}')],
  ['claude', claude('Login expired · Please run /login')],
  ['claude', claude('Not logged in · Please run /login')],
  ['claude', claude('Invalid API key · Fix external API key')],
  ['claude', claude('Failed to authenticate. API Error: 401 {"type":"error"}')],
  ['claude', claude('Failed to authenticate: OAuth session expired and could not be refreshed')],
  ['claude', claude('API Error: 401 {"type":"error","error":{"type":"authentication_error"}} · Please run /login')],
  [
    'claude',
    claude(
      'API Error: 403 {"type":"error","error":{"type":"permission_error","message":"OAuth token has been revoked."}}',
    ),
  ],
  ['claude', { stderr: ['Error: Session expired. Please run /login to sign in again.'] }],
  ['claude', failedBy('authentication_failed', 'AWS authentication failed · refresh your AWS credentials and retry')],
  ['claude', claude('Words of a later version.', { api_error_status: 401 })],
  ['codex', codex('unexpected status 401 Unauthorized: Missing bearer or basic authentication in header, url: u')],
  ['codex', codex('exceeded retry limit, last status: 401 Unauthorized, request id: r')],
  ['codex', codex('Missing environment variable: `CODEX_API_KEY`.')],
  // openai/codex#6498, #6028
  [
    'codex',
    codex(
      'Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again.',
    ),
  ],
  ['codex', codex('Failed to refresh token: 401 Unauthorized: Your refresh token has already been used.')],
  ['codex', { stderr: ['Error: Your authentication session could not be refreshed automatically. Please log out.'] }],
  ['codex', codex('{"error":{"message":"Incorrect API key provided: no.","code":"invalid_api_key"}}')],
  ['gemini', { text: prompt }],
  ['gemini', { text: 'Please visit the following URL to authorize the application:\n\nhttps://example.com\n' }],
  [
    'gemini',
    { stderr: [`Error authenticating: FatalAuthenticationError: ${manual}`, '    at initOauthClient', manual] },
  ],
  ['gemini', { stderr: ['FatalCancellationError: Authentication cancelled by user.'] }],
  [
    'gemini',
    { text: prompt, stderr: ['Error authenticating: FatalCancellationError: Authentication cancelled by user.'] },
  ],
  ['gemini', { stderr: ['Invalid auth method selected.'] }],
  ['gemini', gemini('[API Error: {"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}]')],
  ['gemini', gemini('[API Error: Request had invalid authentication credentials. (Status: UNAUTHENTICATED)]')],
  ['gemini', gemini('[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]')],
  ['opencode', opencode('no', 401)],
  ['opencode', opencode('Unauthorized: {"error":{"message":"User not found.","code":401}}')],
  [
    'opencode',
    opencode(
      "Anthropic API key is missing. Pass it using the 'apiKey' parameter or the ANTHROPIC_API_KEY environment variable.",
    ),
  ],
  ['opencode', opencode('Missing API key.')],
  ['opencode', opencode('Token refresh failed: 401')],
  ['opencode', opencode('API key not valid. Please pass a valid API key.', 400)],
];

/** Failures whose words, or whose model's words, only mention a sign-in of something else. */
const mentioned: readonly [AgentName, Written][] = [
  ...[
    'npm error 401 Unauthorized - GET https://registry.example/x',
    'MCP server jira: 401 Unauthorized',
    'The test expects "Not logged in · Please run /login"',
    'added a check of the API key and of authentication_failed',
    '{"code": 401}',
    'The page says: Authentication cancelled by user.',
  ].flatMap((text): readonly [AgentName, Written][] => [
    ['claude', claude(text, { subtype: 'error_max_turns', terminal_reason: 'max_turns' })],
    ['claude', claude(`API Error: 400 ${text}`)],
    ['codex', codex(text)],
    ['codex', codex(JSON.stringify({ error: { message: `${text} "code":"invalid_api_key"`, type: 'invalid' } }))],
    ['codex', { stderr: [`Error: ${text}`] }],
    ['gemini', gemini(`[API Error: ${JSON.stringify({ error: { code: 400, message: text } })}]`)],
    ['gemini', gemini(`Reached max session turns: ${text}`)],
    ['gemini', { stdout: [{ type: 'init', session_id: 's' }], text, stderr: [text] }],
    ['opencode', opencode(text)],
    ['opencode', opencode(text, 400)],
    ['opencode', { stderr: [`Error: ${text}`] }],
  ]),
  ['claude', failedBy('authentication_failed', 'A subagent was refused.', 'toolu_1')],
  ['claude', failedBy('server_error', 'API Error: 500 no')],
  // After its first event the words on stdout are those of a tool.
  ['gemini', { stdout: [{ type: 'init', session_id: 's' }], text: prompt }],
  ['gemini', { text: `Authentication required for MCP Server: 'jira.' ${prompt.trim()}` }],
];

/** Finds missing sign-ins as the runner sees a launch that has ended, and as its signals show them. */
function signInsOf(agent: AgentName, written: Written): readonly (readonly string[])[] {
  const { signals, end } = signalsOf(agent, written);
  return [signals, [end]].map((all) => [
    ...new Set(
      all
        .flatMap((signal) => classifyDenial(agent, null, signal) ?? [])
        .filter(({ issue }) => issue === 'LOGIN_REQUIRED')
        .map(({ action }) => action),
    ),
  ]);
}

const title = ({ stdout, stderr = [], text }: Written): string =>
  JSON.stringify([text, ...stderr, ...(stdout ?? []).map((one): readonly unknown[] => Object.values(one))]).slice(
    0,
    110,
  );

for (const agent of agentNames)
  describe(`a sign-in that ${agent} has not`, () => {
    for (const [, session] of unsigned.filter(([name]) => name === agent))
      it(`is found: ${title(session)}`, () => {
        assert.deepEqual(signInsOf(agent, session), [['ESCALATE'], ['ESCALATE']]);
      });

    for (const [, session] of mentioned.filter(([name]) => name === agent))
      it(`is not found where words mention another one: ${title(session)}`, () => {
        assert.deepEqual(signInsOf(agent, session), [[], []]);
      });
  });
