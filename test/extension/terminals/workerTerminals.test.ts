import assert from 'node:assert/strict';
import type { Composition } from '../../../src/extension/compose';
import type { Appended, MissionFolder } from '../../../src/extension/folder/missionFolders';
import type { WorkerTerminals } from '../../../src/extension/terminals/workerTerminals';
import { fakeVscode } from '../fakeVscode';
import { waitFor } from '../../vscode/harness/waitFor';
import { memory } from '../memory';
import { controlView, liveWorker, missionView } from '../sampleViews';

interface FakeTerminal {
  readonly creationOptions: { readonly name: string };
  exitStatus?: { readonly reason: number };
  readonly shown: boolean[];
}

const byUser = 3;
const runs = '.mission-control/missions/m/runs';
const lanes = ['left', 'right'].map((task_id) => liveWorker({ task_id, run_dir: `${runs}/1-${task_id}` }));
const mission = missionView({ mission_id: 'm', lanes });
const usable = (): Promise<unknown> => Promise.resolve({ ok: true, value: () => Promise.resolve('/supervisor.cjs') });
const changed = (): Promise<unknown> =>
  Promise.resolve({ ok: false, refusal: { code: 'PROGRAM_CHANGED', reason: 'Somebody changed it.', next: [] } });

/** A window whose terminals fail when the test says so, which the real one does not. */
describe('a terminal that cannot be opened', () => {
  let terminals: FakeTerminal[] = [];
  let onClosed: (terminal: FakeTerminal) => void = () => undefined;
  let all: WorkerTerminals;
  let folder: MissionFolder;
  let launch: (...tasks: readonly string[]) => void;
  let supervisor: () => Promise<unknown>;
  let storable: boolean;
  let commands: unknown[];
  let notifications: { readonly text: string; readonly buttons: readonly string[] }[];
  /** The button that a person presses. */
  let pressed: string | undefined;
  let keeps: boolean;
  let rows: unknown[];
  let called: unknown[];
  let problems: string[];

  before(() => {
    const nothing = { dispose: () => undefined };
    const window = {
      get terminals() {
        return terminals;
      },
      activeTerminal: undefined,
      createTerminal: (creationOptions: FakeTerminal['creationOptions']) => {
        const shown: boolean[] = [];
        const show = (keepsFocus: boolean): number => shown.push(keepsFocus);
        const dispose = (): void => {
          terminals = terminals.filter((one) => one !== made);
        };
        const made = { creationOptions, shown, show, dispose, processId: Promise.resolve(process.pid) };
        terminals.push(made);
        return made;
      },
      onDidOpenTerminal: () => nothing,
      onDidCloseTerminal: (listener: typeof onClosed) => {
        onClosed = listener;
        return nothing;
      },
      showInformationMessage: (text: string, ...buttons: string[]) => {
        notifications.push({ text, buttons });
        return Promise.resolve(pressed);
      },
    };
    const executeCommand = (...call: unknown[]): Promise<void> => Promise.resolve(void called.push(call));
    fakeVscode({ window, commands: { executeCommand }, TerminalExitReason: { Shutdown: 1, User: byUser } });
  });

  beforeEach(async () => {
    [terminals, commands, problems, notifications, called] = [[], [], [], [], []];
    pressed = undefined;
    keeps = false;
    rows = lanes.map(({ task_id }) => ({ status: 'in_progress', task: { task_id, worker: 'claude' } }));
    supervisor = usable;
    storable = true;
    const nothing = { dispose: () => undefined };
    let appended: (news: Appended) => void = () => undefined;
    const faked = {
      folder: { uri: { fsPath: '/w', toString: () => 'file:///w' } },
      view: controlView([mission], 'another'),
      onDidChangeView: () => nothing,
      onDidAppend: (listener: typeof appended) => {
        appended = listener;
        return nothing;
      },
      command: (_actor: unknown, _mission: string, command: unknown) => {
        commands.push(command);
        return Promise.resolve({ accepted: true });
      },
    };
    folder = faked as unknown as MissionFolder;
    const store = memory();
    const update: typeof store.update = (...given) =>
      storable ? store.update(...given) : Promise.reject(new Error('the disk is full'));
    const composition = {
      context: { workspaceState: { ...store, update } },
      folders: { all: [folder], onDidChange: () => nothing },
      supervisor: () => supervisor(),
      settings: { opensTerminals: () => true, keepsTerminals: () => keeps },
      person: { actor: { type: 'user', name: 'Ada' } },
      log: { info: () => undefined, error: (_text: unknown, error: unknown) => problems.push(String(error)) },
    };
    const { WorkerTerminals: Terminals } = await import('../../../src/extension/terminals/workerTerminals');
    all = new Terminals(composition as unknown as Composition);
    const news = {
      mission_id: 'm',
      plan: { plan_id: 'p', mode: 'parallel', max_parallel: 2, tasks: [] },
      rows,
      lanes: lanes.map(({ task_id }) => ({
        ...{ task_id, attempt: 1 },
        launches: [{ launch_id: task_id, run_dir: `1-${task_id}`, purpose: { kind: 'worker' }, prepared: null }],
      })),
    };
    launch = (...tasks) => {
      const entries = tasks.map((launch_id) => ({ event: { type: 'LaunchPrepared', launch_id } }));
      appended({ mission: news, entries } as unknown as Appended);
    };
  });

  const until = (fits: () => boolean, what: string): Promise<unknown> => waitFor(fits, { what });
  const shown = (): readonly (readonly boolean[])[] => terminals.map((terminal) => terminal.shown);
  const closes = (terminal: FakeTerminal | undefined): void => {
    assert.ok(terminal);
    terminal.exitStatus = { reason: byUser };
    terminals = terminals.filter((one) => one !== terminal);
    onClosed(terminal);
  };

  it('leaves it to the next one to open the panel, and nothing to the one after that', async () => {
    supervisor = changed;
    launch('left');
    await until(() => problems.length > 0, 'what the log says');
    assert.match(problems.join(), /PROGRAM_CHANGED/);
    supervisor = usable;
    launch('left', 'right');
    await until(() => shown().flat().length > 0 && terminals.length === 2, 'the panel and both terminals');
    for (const lane of lanes) await all.show(folder, mission, lane);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(shown().flat().filter(Boolean).length, 1);
  });

  it('is tried anew for a person who asks for it', async () => {
    supervisor = changed;
    const [lane] = lanes;
    assert.ok(lane);
    await assert.rejects(all.show(folder, mission, lane), /PROGRAM_CHANGED: Somebody changed it\./);
    supervisor = usable;
    await all.show(folder, mission, lane);
    assert.deepEqual(shown(), [[false]]);
  });

  it('keeps no other terminal from being missed when it is closed', async () => {
    supervisor = changed;
    launch('left');
    await until(() => problems.length > 0, 'what the log says');
    supervisor = usable;
    launch('right');
    await until(() => shown().flat().length > 0, 'the panel');
    closes(terminals[0]);
    await until(() => notifications.length > 0, 'a notification');
    assert.match(
      notifications[0]?.text ?? '',
      /^The terminal of task right of mission p is closed\. Its worker goes on/,
    );
  });

  it('is known when it is closed, where only its place could not be stored', async () => {
    storable = false;
    launch('left');
    await until(() => problems.length > 0, 'what the log says');
    closes(terminals[0]);
    await until(() => notifications.length > 0, 'a notification');
    assert.match(notifications[0]?.text ?? '', /task left/);
  });

  for (const kept of [false, true])
    it(`${kept ? 'stays' : 'goes'} with the next one once its task is done, as the setting says`, async () => {
      keeps = kept;
      launch('left');
      await until(() => shown().flat().length > 0, 'the terminal of the first');
      const [first] = terminals;
      rows[0] = { status: 'done', task: { task_id: 'left' } };
      launch('right');
      await until(() => terminals.length === (kept ? 2 : 1) && terminals.at(-1) !== first, 'the terminal of the next');
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(
        terminals.some((one) => one === first),
        kept,
      );
    });

  describe('and one that a person closes', () => {
    beforeEach(async () => {
      launch('left', 'right');
      await until(() => terminals.length === 2, 'both terminals');
    });

    it('ends nothing: one notification offers to show it again, or to stop its worker', async () => {
      pressed = 'Stop Worker';
      closes(terminals[0]);
      await until(() => called.length > 0, 'the command of the button');
      assert.deepEqual(notifications[0]?.buttons, ['Show Terminal', 'Stop Worker']);
      // The command asks before it stops anything.
      assert.deepEqual(called, [
        ['missionControl.stopWorker', { folder: 'file:///w', missionId: 'm', taskId: 'left' }],
      ]);
      assert.deepEqual(commands, []);
    });

    it('comes back where its notification shows it again', async () => {
      pressed = 'Show Terminal';
      closes(terminals[0]);
      await until(() => terminals.length === 2 && terminals[1]?.shown.length === 1, 'the terminal in front');
      assert.deepEqual(commands, []);
    });

    it('shares its notification with all that Kill All Terminals closes', async () => {
      pressed = 'Show Terminals';
      const [left, right] = terminals;
      closes(left);
      await new Promise((resolve) => setImmediate(resolve));
      closes(right);
      await until(
        () => terminals.length === 2 && terminals.every(({ shown: fronts }) => fronts.length === 1),
        'both again',
      );
      assert.equal(notifications.length, 1);
      assert.match(
        notifications[0]?.text ?? '',
        /^2 terminals of mission p are closed: left, right\. Their workers go on/,
      );
      assert.deepEqual(commands, []);
    });
  });
});
