import assert from 'node:assert/strict';
import type { PanelItem } from '../../../src/engine/views/panelView';
import type { MissionFolder } from '../../../src/extension/folder/types';
import { fakeVscode } from '../fakeVscode';

class Range {
  constructor(
    readonly start: unknown,
    readonly end: unknown,
  ) {}
}

/** Plans as people write them, of which the real VS Code gets one form only. */
describe('a task that is opened in its plan', () => {
  let text: string;
  let selected: unknown;

  before(() => {
    const document = { getText: () => text, positionAt: (offset: number) => offset };
    fakeVscode({
      Range,
      Uri: { joinPath: (...parts: readonly unknown[]) => parts },
      workspace: { openTextDocument: () => Promise.resolve(document) },
      window: {
        showTextDocument: (_: unknown, { selection }: { readonly selection?: Range }) => {
          selected = selection?.start;
        },
      },
    });
  });

  const open = async (task_id: string): Promise<unknown> => {
    selected = undefined;
    const { openTarget } = await import('../../../src/extension/panel/openTarget');
    const item = { of: { kind: 'draft', draft: { path: 'docs/plans/PLAN_a.json' } } } as PanelItem;
    const folder = { folder: { uri: 'folder' }, view: null } as unknown as MissionFolder;
    await openTarget(item, folder, { kind: 'plan', task_id }, { show: () => Promise.resolve() });
    return selected;
  };

  for (const [how, indent] of [
    ['with indentation', 2],
    ['on one line', 0],
  ] as const)
    it(`is selected where the plan stands ${how}`, async () => {
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
});
