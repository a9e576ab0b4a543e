import assert from 'node:assert/strict';
import type { CommandName } from '../../../src/extension/registry/registry';
import type { MissionControlPanel, PanelParts } from '../../../src/extension/panel/missionControlPanel';
import { fakeVscode } from '../fakeVscode';

class Uri {
  constructor(readonly scheme: string) {}
}

const nothing = { dispose: (): void => undefined };
const mission = { folder: 'file:///w', missionId: 'm', taskId: 'T1' };

/** Every command of a menu goes through the panel, which knows what is shown. Here: nothing but one row of each kind. */
describe('what a command was called on', () => {
  let panel: MissionControlPanel;
  let logged: string[];
  let said: string[];

  before(async () => {
    fakeVscode({
      Uri,
      window: {
        registerWebviewPanelSerializer: () => nothing,
        showInformationMessage: (text: string) => Promise.resolve(void said.push(text)),
      },
    });
    const { MissionControlPanel: Panel } = await import('../../../src/extension/panel/missionControlPanel');
    const rows = new Map<string, unknown>([
      ['heading', 'nothing'],
      ['mission', mission],
      ['plan', new Uri('file')],
    ]);
    const follows = { onDidChange: () => nothing, onDidSelect: () => nothing, onDidChangeSight: () => nothing };
    const parts = {
      ...{ folders: { all: [], ...follows }, data: {}, selection: follows, follow: () => nothing },
      trees: { ...follows, argumentOf: (row: string) => rows.get(row) ?? null },
      log: { warn: (text: unknown) => logged.push(String(text)) },
    };
    panel = new Panel(parts as unknown as PanelParts);
  });
  beforeEach(() => {
    [logged, said] = [[], []];
  });
  after(() => panel.dispose());

  for (const [command, argument, taken] of [
    ['cancelMission', undefined, undefined],
    ['cancelMission', mission, mission],
    ['cancelMission', { ...mission, other: 7 }, mission],
    ['skipTask', { treeRow: 'mission' }, mission],
    ['cancelMission', { treeRow: 'heading' }, undefined],
    ['stopEverything', { treeRow: 'gone' }, { treeRow: 'gone' }],
    ['doctorRemedy', 'install claude', 'install claude'],
  ] as const satisfies readonly (readonly [CommandName, unknown, unknown])[])
    it(`is taken by ${command} where it is ${JSON.stringify(argument)}`, () => {
      assert.deepEqual(panel.argumentOf(command, argument)?.argument, taken);
      assert.deepEqual([logged, said], [[], []]);
    });

  it('may be a plan, for a command of plans', () => {
    const uri = new Uri('file');
    assert.equal(panel.argumentOf('approvePlan', uri)?.argument, uri);
    assert.deepEqual(said, []);
  });

  it('may be a file or its row of a source control, for Review Changes, whatever else that row does', () => {
    const uri = new Uri('file');
    class Row {
      get resourceUri(): Uri {
        return uri;
      }
    }
    for (const argument of [uri, { resourceUri: uri, missionId: 7 }, new Row()])
      assert.equal(panel.argumentOf('reviewChanges', argument)?.argument, uri);
    assert.deepEqual([panel.argumentOf('reviewChanges', mission)?.argument, said], [mission, []]);
    const thrower = {
      get resourceUri(): Uri {
        throw new Error('a row of another extension');
      },
    };
    for (const argument of [thrower, { resourceUri: '/etc/passwd' }, { resourceUri: new Uri('webview-panel') }])
      assert.equal(panel.argumentOf('reviewChanges', argument), null);
  });

  const shape = 'it was called on something that is no mission and no plan';
  const row = 'the row of its menu is no longer shown';
  for (const [name, command, argument, why] of [
    ['a number', 'Cancel Mission', 42, shape],
    ['a path', 'Cancel Mission', '/etc/passwd', shape],
    ['a number for a mission', 'Cancel Mission', { ...mission, missionId: 7 }, shape],
    ['a file', 'Cancel Mission', new Uri('file'), 'it was called on a file, and takes a mission'],
    ['a plan in a tree', 'Skip Task', { treeRow: 'plan' }, 'it was called on a file, and takes a mission'],
    ['a mission', 'Approve Plan', mission, 'it was called on a mission, and takes a plan'],
    ['nothing', 'Cancel Mission', {}, 'it was called on something that names no mission'],
    ['what inherits a mission', 'Pause', Object.create(mission), 'it was called on something that names no mission'],
    ['a row that is gone', 'Skip Task', { treeRow: '__proto__' }, row],
    ['a megabyte', 'Skip Task', { treeRow: 'x'.repeat(2 ** 20) }, row],
    ['a title without a mission', 'Cancel Mission', new Uri('webview-panel'), 'the panel shows no mission'],
  ] as const)
    it(`is refused and logged, by what is wrong with it: ${name}`, () => {
      const id = ids[command];
      assert.equal(panel.argumentOf(id, argument), null);
      assert.deepEqual(logged, [`Refused: ${command}: ${why}.`]);
      assert.deepEqual(said, [`${command}: ${why}. Nothing was changed; open the menu once more in Mission Control.`]);
    });
});

const ids = {
  'Cancel Mission': 'cancelMission',
  'Skip Task': 'skipTask',
  Pause: 'pause',
  'Approve Plan': 'approvePlan',
} as const satisfies Readonly<Record<string, CommandName>>;
