import assert from 'node:assert/strict';
import { createParser } from '../../src/workers/claude/stream';
import type { WorkerSignal } from '../../src/contracts/launch';

const started = { type: 'system', subtype: 'hook_started', hook_id: 'h1', hook_event: 'SessionStart', session_id: 's' };
const response = { ...started, subtype: 'hook_response', outcome: 'success', exit_code: 0, stdout: '', stderr: '' };
const named = { hook_name: 'SessionStart:startup' };

function signalsOf(...events: readonly object[]): readonly WorkerSignal[] {
  const parser = createParser();
  return [...events.flatMap((one) => parser.push('stdout', `${JSON.stringify(one)}\n`)), ...parser.end()];
}

describe("a person's hooks in the stream of Claude Code", () => {
  it('are reported when they begin and when they end', () => {
    assert.deepEqual(signalsOf({ ...started, ...named }, { ...response, ...named }), [
      { kind: 'hook', id: 'h1', name: 'SessionStart:startup', ended: false },
      { kind: 'hook', id: 'h1', name: 'SessionStart:startup', ended: true },
    ]);
  });

  it('are known by their event where they have no name, and by that where they have no id', () => {
    assert.deepEqual(signalsOf({ ...started, hook_id: 7 }), [
      { kind: 'hook', id: 'SessionStart', name: 'SessionStart', ended: false },
    ]);
  });

  it('are known by the beats of a CLI that waits, which are no progress, and end when it goes on', () => {
    const beat = (n: number): object => ({
      ...{ type: 'tool_progress', tool_use_id: `hook-PreToolUse-toolu_1-heartbeat-${n}`, tool_name: 'PreToolUse' },
      ...{ parent_tool_use_id: 'toolu_1', elapsed_time_seconds: 5 * n, heartbeat: true, session_id: 's' },
    });
    const hook = { kind: 'hook', id: 'PreToolUse toolu_1', name: 'PreToolUse' } as const;
    const user = { type: 'user', message: { role: 'user', content: [] } };
    assert.deepEqual(signalsOf(beat(1), beat(2), user), [
      { ...hook, ended: false },
      { ...hook, ended: true },
    ]);
    const parser = createParser();
    parser.push('stdout', `${JSON.stringify(beat(1))}\n${JSON.stringify({ ...beat(2), tool_use_id: 'toolu_1' })}\n`);
    assert.deepEqual(parser.summary().counts.events, 1);
  });

  it('are left out where nothing names them, and long names are cut', () => {
    assert.deepEqual(signalsOf({ type: 'system', subtype: 'hook_started' }, { ...started, hook_event: ['x'] }), []);
    const [signal] = signalsOf({ ...started, hook_id: 'i'.repeat(9000), hook_name: 'n'.repeat(9000) });
    assert.ok(signal?.kind === 'hook');
    assert.ok(signal.name.length <= 200 && signal.id.length <= 200);
  });
});
