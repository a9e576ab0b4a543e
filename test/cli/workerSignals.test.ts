import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { harmless, readable } from '../workers/sessions';
import { CliBed, cliFile, type Printed } from './cliBed';

describe('mission worker signals', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('reads one document of a CLI, a byte-order mark before it, and prints signals for people and for programs', async () => {
    const signals = async (
      cli: string,
      text: string,
    ): Promise<Omit<Printed, 'signals'> & { readonly signals: readonly Record<string, unknown>[] }> => {
      bed.write('transcript.json', text);
      const { code, json, stdout } = await bed.mission('worker', 'signals', '--cli', cli, 'transcript.json');
      assert.equal(code, 0, stdout);
      assert.doesNotMatch(stdout, /"[a-z]+[A-Z]\w*":/, 'one spelling of keys');
      return json;
    };
    const tokens = { prompt: 133, candidates: 7, total: 140, cached: 3, thoughts: 0, tool: 0 };
    const gemini = { session_id: 'G1', response: 'All done.', stats: { models: { 'gemini-x': { tokens } } } };
    const claude = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id: 'C1',
      result: 'All done.',
      usage: { input_tokens: 10, output_tokens: 2 },
    };
    for (const [cli, document, session, tokensIn] of [
      ['gemini', gemini, 'G1', 133],
      ['claude', claude, 'C1', 10],
      ['claude', [{ type: 'system', subtype: 'init', session_id: 'C1' }, claude], 'C1', 10],
    ] as const) {
      for (const text of [JSON.stringify(document), `\ufeff${JSON.stringify(document, null, 2)}\r\n`]) {
        const json = await signals(cli, text);
        assert.deepEqual(
          [json.outcome, json.session_id, json.usage.input_tokens],
          ['completed', session, tokensIn],
          `${cli} ${text}`,
        );
        assert.equal(json.signals.filter(({ kind }) => kind === 'session').length, 1);
      }
    }
    const failed = await signals('gemini', JSON.stringify({ session_id: 'G1', error: { message: 'quota' } }));
    assert.equal(failed.outcome, 'failed');
    const item = { type: 'file_change', changes: [{ path: 'a.txt', kind: 'update' }] };
    const patch = (status: string): string =>
      `${JSON.stringify({ type: 'item.completed', item: { ...item, status } })}\n`;
    const codex = await signals('codex', `\ufeff${patch('failed')}${patch('declined')}`);
    assert.deepEqual(
      codex.signals.map(({ kind, message, reason }) => [kind, message ?? reason]),
      [
        ['error', 'Patch failed: a.txt'],
        ['denial', 'Patch declined.'],
      ],
    );
    bed.write('transcript.json', JSON.stringify(claude));
    const text = await bed.spawn(process.execPath, [
      cliFile,
      ...['worker', 'signals', '--cli', 'claude', 'transcript.json'],
    ]).ended;
    assert.match(text.stdout, /^session C1\n {2}tokens: 10 in, 2 out\n= finished\noutcome completed; session C1;/);
    const missing = await bed.mission('worker', 'signals', '--cli', 'claude', 'none.json');
    assert.deepEqual([missing.code, missing.json.code], [2, 'FILE_NOT_FOUND']);
    assert.doesNotMatch(missing.stdout, /ENOENT/);
  });

  for (const [cli, event, ends] of [
    [
      'claude',
      {
        ...{ type: 'result', subtype: 'success', is_error: true },
        result: "You've hit your session limit · resets 4:10am (America/Sao_Paulo)",
      },
      { at: null, said: 'resets 4:10am (America/Sao_Paulo)' },
    ],
    [
      'codex',
      { type: 'turn.failed', error: { message: "You've hit your usage limit. Try again at 8:12 PM." } },
      { at: null, said: 'Try again at 8:12 PM' },
    ],
    [
      'gemini',
      {
        ...{ type: 'result', status: 'error' },
        error: { type: 'unknown', message: '[API Error: You have exhausted your daily quota on this model.]' },
      },
      { at: null, said: null },
    ],
    [
      'opencode',
      { type: 'error', error: { name: 'APIError', data: { message: 'Free usage exceeded, subscribe to Go' } } },
      { at: null, said: null },
    ],
  ] as const)
    it(`names a limit of ${cli} that is used up, and when it ends`, async () => {
      bed.write('out.jsonl', `${JSON.stringify(event)}\n`);
      const { code, json } = await bed.mission('worker', 'signals', '--cli', cli, 'out.jsonl');
      assert.equal(code, 0);
      const matches = json.permission_matches as readonly Readonly<Record<string, unknown>>[];
      assert.ok(matches.length > 0);
      for (const match of matches) assert.deepEqual([match['issue_type'], match['ends']], ['RATE_LIMITED', ends]);
    });

  for (const cli of agentNames)
    it(`finds no denial in what an agent of ${cli} reads, prints, says and quotes`, async () => {
      const sessions = readable().map((text) => harmless(cli, text));
      const stdout = sessions.flatMap((session) => session.stdout ?? []);
      bed.write('out.jsonl', stdout.map((event) => JSON.stringify(event)).join('\n'));
      bed.write('err.log', sessions.flatMap((session) => session.stderr ?? []).join('\n'));
      const words = ['worker', 'signals', '--cli', cli, 'out.jsonl', '--stderr', 'err.log'];
      const { code, json } = await bed.mission(...words);
      assert.deepEqual([code, json.permission_matches], [0, []]);
      assert.ok(json.signals.length > sessions.length);
    });
});
