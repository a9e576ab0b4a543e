import assert from 'node:assert/strict';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { classifyDenial, type PermissionMatch } from '../../src/core/recovery/permission/classify';
import { claudeTool, signalsOf, type Written } from './sessions';

type Ends = PermissionMatch['ends'];
const said = (words: string): Ends => ({ at: null, said: words });
const untold: Ends = { at: null, said: null };
const at = (time: string, words: string | null = null): Ends => ({ at: time, said: words });

/** The end of a run of Claude Code with an error: `fields` are those of its `result`. */
const claudeEnd = (result: string, fields: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  terminal_reason: 'api_error',
  result,
  ...fields,
});
const claude = (result: string, fields: object = {}): Written => ({ stdout: [claudeEnd(result, fields)] });
const refused = (text: string, error: string, parent: string | null = null): object => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  error,
  message: { content: [{ type: 'text', text }] },
});
const answer = (text: string): object => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const event = (info: object): object => ({ type: 'rate_limit_event', rate_limit_info: info, session_id: 's' });
const rejected = event({ status: 'rejected', resetsAt: 1_764_144_600, rateLimitType: 'five_hour' });
const until = '2025-11-26T08:10:00Z';
const codex = (message: string): Written => ({ stdout: [{ type: 'turn.failed', error: { message } }] });
const gemini = (message: string): Written => ({
  stdout: [{ type: 'result', status: 'error', error: { type: 'unknown', message } }],
});
const opencode = (message: string, statusCode?: number): Written => ({
  stdout: [{ type: 'error', error: { name: 'APIError', data: { message, ...(statusCode && { statusCode }) } } }],
});
const session = "You've hit your session limit · resets 4:10am (America/Sao_Paulo)";

const spentKey =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC."},"request_id":"r"}';

/** What the CLIs write when a limit is used up, and what they say of its end. */
const reached: readonly [AgentName, Written, Ends][] = [
  ['claude', claude(session), said('resets 4:10am (America/Sao_Paulo)')],
  [
    'claude',
    claude("You've hit your weekly limit · resets Oct 3, 8pm (Europe/Berlin)"),
    said('resets Oct 3, 8pm (Europe/Berlin)'),
  ],
  ['claude', claude('You’ve hit your limit · resets 8pm'), said('resets 8pm')],
  ['claude', claude('5-hour limit reached ∙ resets 3pm'), said('resets 3pm')],
  ['claude', claude('Opus weekly limit reached ∙ resets Mon 9am'), said('resets Mon 9am')],
  ['claude', claude('Claude AI usage limit reached|1764144600'), at(until)],
  ['claude', claude("You've hit your monthly spend limit."), untold],
  ['claude', claude("You're out of extra usage · resets 9am (America/Cordoba)"), said('resets 9am (America/Cordoba)')],
  ...[{}, { api_error_status: 400 }].map((fields): [AgentName, Written, Ends] => [
    'claude',
    {
      stdout: [refused(spentKey, 'invalid_request'), claudeEnd(spentKey, fields)],
    },
    at('2026-04-01T00:00:00Z'),
  ]),
  ['claude', claude('API Error: Repeated 529 Overloaded errors'), untold],
  ['claude', claude('API Error: Rate limit reached'), untold],
  ['claude', claude('Words of a later version.', { api_error_status: 429 }), untold],
  [
    'claude',
    { stdout: [rejected, refused(session, 'rate_limit'), claudeEnd(session)] },
    at(until, 'resets 4:10am (America/Sao_Paulo)'),
  ],
  ['claude', { stdout: [refused('Words of a later version.', 'rate_limit'), claudeEnd('The same.')] }, untold],
  ['claude', { stdout: [refused('Words of a later version.', 'rate_limit')] }, untold],
  ['claude', { stdout: [rejected] }, at(until)],
  ['claude', { stdout: [rejected, claudeEnd('Words of a later version.')] }, at(until)],
  ['claude', { stdout: [rejected, claudeEnd('x', { api_error_status: 429 })] }, at(until)],
  ['claude', { stdout: [event({ status: 'rejected', resetsAt: 'soon' }), claudeEnd('x')] }, untold],
  ['claude', { stdout: [event({ status: 'rejected', resetsAt: 1e15 }), claudeEnd('x')] }, untold],
  ['claude', { stdout: [rejected, refused('x', 'unknown', 'toolu_1'), claudeEnd('x')] }, at(until)],
  [
    'codex',
    codex("You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again at 8:12 PM."),
    said('try again at 8:12 PM'),
  ],
  [
    'codex',
    codex(
      'You’ve hit your usage limit for GPT-6. Switch to another model now, or try again at Nov 27th, 2026 8:12 PM.',
    ),
    said('try again at Nov 27th, 2026 8:12 PM'),
  ],
  [
    'codex',
    codex(
      'stream disconnected before completion: Rate limit reached for m in organization o. Please try again in 11.054s.',
    ),
    said('try again in 11.054s'),
  ],
  ['codex', codex('{"error":{"message":"The usage limit has been reached","type":"usage_limit_reached"}}'), untold],
  ['codex', { stderr: ["Error: You've hit your usage limit. Try again at 8:12 PM."] }, said('Try again at 8:12 PM')],
  ['codex', codex('Quota exceeded. Check your plan and billing details.'), untold],
  [
    'codex',
    codex('Your workspace is out of credits. Ask your workspace owner to refill in order to continue.'),
    untold,
  ],
  ['codex', codex('You hit your spend cap set by the owner of your workspace.'), untold],
  ['gemini', gemini('[API Error: You have exhausted your daily quota on this model.]'), untold],
  [
    'gemini',
    gemini('[API Error: You have exhausted your capacity on this model. Your quota will reset after 3h12m5s.]'),
    said('reset after 3h12m5s'),
  ],
  [
    'gemini',
    gemini(
      '[API Error: Resource has been exhausted (e.g. check quota). (Status: RESOURCE_EXHAUSTED)]\nPlease wait and try again later.',
    ),
    untold,
  ],
  ['opencode', opencode('Free usage exceeded, subscribe to Go https://opencode.ai/go'), untold],
  ['opencode', opencode('Free usage exceeded, subscribe to Go', 429), untold],
  ['opencode', opencode('Quota exceeded. Check your plan and billing details.'), untold],
];

/** Failures whose words, or whose model's words, only mention a limit. */
const mentioned: readonly [AgentName, Written][] = [
  ...[
    'added rate_limit middleware',
    `The test expects "${session}"`,
    'The usage limit of the API is 429 calls',
    'overloaded operators',
  ].flatMap((text): readonly [AgentName, Written][] => [
    ['claude', claude(text, { subtype: 'error_max_turns', terminal_reason: 'max_turns' })],
    ['claude', claude(text, { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' })],
    ['claude', claude(`API Error: 400 ${text}`)],
    ['codex', codex(`no tool of the name: ${text}`)],
    ['codex', codex(JSON.stringify({ error: { message: `${text} "code":"rate_limit_exceeded"`, type: 'invalid' } }))],
    ['gemini', gemini(`[API Error: {"error":{"code":400,"message":"${text}"}}]`)],
    ['gemini', gemini(`Reached max session turns: ${text}`)],
    ['opencode', opencode(`Model not found: ${text}`)],
    ['opencode', opencode(`no: ${text}`, 400)],
  ]),
  ['claude', claude(session, { api_error_status: 401 })],
  ['claude', { stdout: [refused(session, 'authentication_failed'), claudeEnd(session)] }],
  ['claude', { stdout: [rejected, claudeEnd('no', { api_error_status: 500 })] }],
  ...['allowed', 'allowed_warning'].map((status): [AgentName, Written] => [
    'claude',
    { stdout: [event({ status, resetsAt: 1_764_144_600, utilization: 0.9 }), claudeEnd('aborted')] },
  ]),
  ['claude', { stdout: [event({ status: 'rejected', isUsingOverage: true }), claudeEnd('aborted')] }],
  ['claude', { stdout: [rejected, event({ status: 'allowed' }), claudeEnd('aborted')] }],
  ['claude', { stdout: [rejected, answer('It went on.'), claudeEnd('aborted')] }],
  [
    'claude',
    { stdout: [refused('x', 'rate_limit', 'toolu_1'), answer('A subagent was refused.'), claudeEnd('aborted')] },
  ],
  [
    'claude',
    { stdout: [rejected, answer(session), { type: 'result', subtype: 'success', is_error: false, result: session }] },
  ],
  [
    'claude',
    { stdout: [answer(session), ...claudeTool('Bash', { command: 'cat log' }, session), claudeEnd('aborted')] },
  ],
];

/** Finds limits as the runner sees a launch that has ended, and as `mission worker signals` sees its signals. */
function limitsOf(agent: AgentName, written: Written): readonly (readonly PermissionMatch[])[] {
  const { signals, end } = signalsOf(agent, written);
  return [signals, [end]].map((all) =>
    all.flatMap((signal) => classifyDenial(agent, null, signal) ?? []).filter(({ issue }) => issue === 'RATE_LIMITED'),
  );
}

const title = ({ stdout, stderr = [] }: Written): string =>
  JSON.stringify(stdout?.map((one): readonly unknown[] => Object.values(one)) ?? stderr).slice(0, 110);

for (const agent of agentNames)
  describe(`used-up limits of ${agent}`, () => {
    for (const [, written, ends] of reached.filter(([name]) => name === agent))
      it(`are found, with their end: ${title(written)}`, () => {
        const [signals = [], end = []] = limitsOf(agent, written);
        assert.deepEqual([...new Set(signals.map((match) => JSON.stringify(match.ends)))], [JSON.stringify(ends)]);
        assert.deepEqual([end.map((match) => match.action), end[0]?.ends], [['BLOCK'], ends]);
        assert.ok(end[0]?.detected);
      });

    for (const [, written] of mentioned.filter(([name]) => name === agent))
      it(`do not count where words only mention one: ${title(written)}`, () => {
        assert.deepEqual(limitsOf(agent, written), [[], []]);
      });
  });
