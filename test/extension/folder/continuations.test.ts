import assert from 'node:assert/strict';
import { Continuations } from '../../../src/extension/folder/continuations';
import type { MissionControlView } from '../../../src/contracts/page/missionView';
import { controlView, liveWorker, missionView } from '../sampleViews';

const interrupted = missionView({ interrupted: true });
const log = { info: () => undefined, warn: () => undefined };

/** `ends` decides what becomes of taking the missions over. */
function begin(code: string | null): { readonly continuations: Continuations; readonly end: () => Promise<void> } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const refusal = { code: code ?? '', reason: 'x', next: [] };
  const owner = {
    use: async () => {
      await ended;
      return code === null ? { ok: true, value: { ok: true } } : { ok: false, refusal };
    },
  } as unknown as ConstructorParameters<typeof Continuations>[0];
  return {
    continuations: new Continuations(owner, (id) => id === interrupted.mission_id, log),
    end: async () => {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const shown = (view: MissionControlView): readonly (boolean | undefined)[] =>
  view.missions.map((mission) => mission.interrupted);

describe('missions that go on unasked', () => {
  it('are never shown as interrupted on the way, whatever snapshot arrives meanwhile', async () => {
    const { continuations, end } = begin(null);
    const view = controlView([interrupted]);
    assert.deepEqual(shown(continuations.follow(view)), [false]);
    assert.match(continuations.follow(view).missions[0]?.headline ?? '', /This window goes on with it/);
    const tasks = interrupted.tasks.map((task) => ({ ...task, interrupted: true }) as const);
    const [taken] = continuations.follow(controlView([{ ...interrupted, tasks }])).missions;
    assert.ok(taken?.tasks.every((task) => task.interrupted === undefined));
    const text = 'it is not known whether its worker still runs';
    const lane = liveWorker({ stage: text, doing: text, left: { state: 'unknown', text } });
    const [held] = continuations.follow(controlView([missionView({ interrupted: true, lanes: [lane] })])).missions;
    for (const one of [held?.live, ...(held?.lanes ?? [])])
      assert.deepEqual([one?.left, one?.stage, one?.doing], [undefined, 'going on', 'going on']);
    await end();
    assert.deepEqual(shown(continuations.follow(view)), [false], 'a snapshot that was begun before it was taken');
    continuations.follow(controlView([missionView()], 'this'));
    assert.deepEqual(shown(continuations.follow(view)), [true], 'given back, and not taken again');
  });

  it('are shown as interrupted when they could not be taken over, or when this machine does not know them', async () => {
    const { continuations, end } = begin('STATE_STORE_CORRUPT');
    const view = controlView([interrupted, missionView({ mission_id: 'unknown', interrupted: true })]);
    assert.deepEqual(shown(continuations.follow(view)), [false, true]);
    await end();
    assert.deepEqual(shown(continuations.follow(view)), [true, true]);
  });
});
