import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { AgentsHere } from '../../../src/extension/views/agentsHere';
import { fakeVscode } from '../fakeVscode';

describe('the agents that a window looks for', () => {
  let settings: EventEmitter;
  let asked: string[];
  /** Answers every lookup that waits, as a machine does on which only this agent is. */
  let answer: (here: string) => void;
  let agents: AgentsHere;

  beforeEach(async () => {
    settings = new EventEmitter();
    asked = [];
    let waiting: ((here: string) => void)[] = [];
    answer = (here) => {
      const now = waiting;
      waiting = [];
      for (const one of now) one(here);
    };
    class Emitter {
      readonly event = (): void => undefined;
      fire(): void {}
      dispose(): void {}
    }
    fakeVscode({
      EventEmitter: Emitter,
      workspace: {
        onDidChangeConfiguration: (listener: (change: object) => void) => {
          settings.on('change', (changed: string) =>
            listener({ affectsConfiguration: (section: string) => changed.startsWith(section) }),
          );
          return { dispose: () => undefined };
        },
      },
    });
    const found = await import('../../../src/extension/views/agentsHere');
    agents = new found.AgentsHere({
      workers: {
        resolve: (name) => {
          asked.push(name);
          return new Promise((resolve) => {
            waiting.push((here) =>
              resolve(
                here === name
                  ? { ok: true, value: { version: '1.0.0' } as never }
                  : { ok: false, refusal: { code: 'WORKER_MISSING', reason: '', next: [] } },
              ),
            );
          });
        },
      },
      defaultWorker: () => 'claude',
      isTrusted: () => true,
    });
  });
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  it('are looked for again when a setting of ours changes, and not before the first question', async () => {
    settings.emit('change', 'missionControl.claude.path');
    assert.deepEqual(asked, []);
    assert.equal(agents.found(), null);
    answer('codex');
    await settled();
    assert.equal(agents.found()?.text, 'On this machine: Codex 1.0.0.');
    settings.emit('change', 'editor.fontSize');
    assert.equal(asked.length, 4);
    settings.emit('change', 'missionControl.claude.path');
    answer('claude');
    await settled();
    assert.equal(agents.found()?.text, 'On this machine: Claude Code 1.0.0.');
  });

  it('are looked for once more when a setting changes while they are looked for', async () => {
    assert.equal(agents.found(), null);
    settings.emit('change', 'missionControl.claude.path');
    answer('codex');
    await settled();
    assert.equal(asked.length, 8);
    answer('claude');
    await settled();
    assert.equal(agents.found()?.text, 'On this machine: Claude Code 1.0.0.');
  });
});
