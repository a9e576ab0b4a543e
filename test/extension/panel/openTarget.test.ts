import assert from 'node:assert/strict';
import type { PanelItem } from '../../../src/engine/views/panelView';
import type { MissionFolder } from '../../../src/extension/folder/missionFolders';
import { fakeVscode } from '../fakeVscode';

class Range {
  constructor(
    readonly start: unknown,
    readonly end: unknown,
  ) {}
}

const run = '.mission-control/missions/m/runs/1-T1';

/** Plans as people write them, of which the real VS Code gets one form only, and output of any size. */
describe('what is opened', () => {
  let text: string;
  let selected: unknown;
  /** Size of each file that is there. */
  let there: Readonly<Record<string, number>>;
  let opened: unknown[];
  let messages: number;

  before(() => {
    const document = { getText: () => text, positionAt: (offset: number) => offset };
    const stat = (uri: string): Promise<unknown> =>
      uri in there ? Promise.resolve({ size: there[uri] }) : Promise.reject(new Error('not there'));
    fakeVscode({
      Range,
      Uri: { joinPath: (...parts: readonly string[]) => parts.slice(1).join('/') },
      workspace: { openTextDocument: () => Promise.resolve(document), fs: { stat } },
      window: {
        showTextDocument: (what: unknown, { selection }: { readonly selection?: Range }) => {
          opened.push(what);
          selected = selection?.start;
        },
        showInformationMessage: () => (messages += 1),
      },
    });
  });

  beforeEach(() => {
    [opened, messages] = [[], 0];
  });

  const open = async (task_id: string): Promise<unknown> => {
    selected = undefined;
    const { openTarget } = await import('../../../src/extension/panel/openTarget');
    const item = { of: { kind: 'draft', draft: { path: 'docs/plans/PLAN_a.json' } } } as PanelItem;
    const folder = { folder: { uri: 'folder' }, view: null } as unknown as MissionFolder;
    await openTarget(item, folder, { kind: 'plan', task_id }, { show: () => Promise.resolve(true) });
    return selected;
  };

  for (const [how, indent] of [
    ['with indentation', 2],
    ['on one line', 0],
  ] as const)
    it(`is a task, selected where the plan stands ${how}`, async () => {
      const tasks = [{ task_id: 'first' }, { task_id: 'second', depends_on: ['first'] }];
      text = JSON.stringify({ goal: '"task_id": "second"', tasks }, null, indent);
      for (const { task_id } of tasks)
        assert.equal(
          await open(task_id),
          text.lastIndexOf(`"task_id":${indent ? ' ' : ''}"${task_id}"`) + (indent ? 11 : 10),
          task_id,
        );
      assert.equal(await open('third'), undefined);
    });

  it('is the whole output of a launch that blocked, without a channel that is empty', async () => {
    const { openTarget } = await import('../../../src/extension/panel/openTarget');
    const view = { mission_id: 'm', blocks: [{ packet_id: 'p1', run_dir: run }] };
    const item = { of: { kind: 'mission', view } } as unknown as PanelItem;
    const folder = { folder: { uri: 'folder' } } as unknown as MissionFolder;
    const openOutput = async (packet_id = 'p1'): Promise<readonly [opened: readonly unknown[], messages: number]> => {
      [opened, messages] = [[], 0];
      await openTarget(item, folder, { kind: 'output', packet_id }, { show: () => Promise.resolve(true) });
      return [opened, messages];
    };
    there = { [`${run}/stdout.jsonl`]: 10, [`${run}/stderr.log`]: 5 };
    assert.deepEqual(await openOutput(), [[`${run}/stderr.log`, `${run}/stdout.jsonl`], 0]);
    there = { [`${run}/stdout.jsonl`]: 10, [`${run}/stderr.log`]: 0 };
    assert.deepEqual(await openOutput(), [[`${run}/stdout.jsonl`], 0]);
    there = {};
    assert.deepEqual(await openOutput(), [[], 1]);
    assert.deepEqual(await openOutput('another'), [[], 1]);
  });
});
