import assert from 'node:assert/strict';
import type { MissionFolder } from '../../../../src/extension/folder/missionFolders';
import { fakeVscode } from '../../fakeVscode';
import { completed, controlView } from '../../sampleViews';

describe('the end of the missions that a revision supersedes', () => {
  /** What the window shows as under way. */
  let shown: string[];
  let sent: (readonly unknown[])[];
  let ended: (missions: readonly { readonly mission_id: string }[]) => Promise<unknown>;

  before(async () => {
    fakeVscode({
      window: {
        withProgress: async ({ title }: { readonly title: string }, work: () => Promise<unknown>) => {
          shown.push(title);
          try {
            return await work();
          } finally {
            shown = shown.filter((one) => one !== title);
          }
        },
      },
    });
    const { endSuperseded } = await import('../../../../src/extension/commands/plan/approvePlan');
    const folder = {
      view: controlView([completed()], 'this'),
      refresh: () => Promise.resolve(),
      command: (_actor: unknown, mission: string) => {
        sent.push([mission, ...shown]);
        return Promise.resolve({ accepted: true, code: 'OK', reason: '', next: [] });
      },
    } as unknown as MissionFolder;
    const actor = { kind: 'human', name: 'Ada' } as Parameters<typeof endSuperseded>[1];
    ended = (missions) =>
      endSuperseded(folder, actor, missions as Parameters<typeof endSuperseded>[2], {
        plan_id: 'p2',
        plan_sha256: 'A',
      });
  });
  beforeEach(() => {
    [shown, sent] = [[], []];
  });

  it('is shown as under way until they have ended', async () => {
    const { mission_id } = completed();
    assert.equal(await ended([{ mission_id }]), null);
    assert.deepEqual(sent, [[mission_id, 'Ending the missions that plan p2 supersedes…']]);
    assert.deepEqual(shown, []);
  });
});
