import assert from 'node:assert/strict';
import type { Composition } from '../../../src/extension/compose';
import { fakeQuickPick } from '../fakeQuickPick';
import { fakeVscode } from '../fakeVscode';
import { completed, controlView } from '../sampleViews';

const directory = 2;
const root = 'file:///w';
const gone = { folder: root, missionId: 'gone' };

/** One other plan has evidence in the window: what a command takes that was called on nothing. */
describe('a command about evidence', () => {
  let said: string[];
  let unread: string | null;
  let opened: unknown[];
  let logged: string[];
  let call: Record<'Open Evidence' | 'Verify Evidence', (argument?: unknown) => Promise<void>>;

  before(async () => {
    fakeVscode({
      FileType: { File: 1, Directory: directory },
      Uri: {
        joinPath: ({ path }: { readonly path: string }, ...parts: readonly string[]) => ({
          path: [path, ...parts].join('/'),
        }),
      },
      workspace: {
        fs: {
          stat: () => Promise.resolve({ type: directory, size: 1 }),
          readDirectory: ({ path }: { readonly path: string }) =>
            unread !== null && path.endsWith(unread)
              ? Promise.reject(new Error('NoPermissions'))
              : Promise.resolve(path.endsWith('/other') ? [['EXECUTION_SUMMARY.md', 1]] : [['other', directory]]),
        },
      },
      window: {
        showInformationMessage: (text: string) => Promise.resolve(void said.push(text)),
        showErrorMessage: (text: string) => Promise.resolve(void said.push(text)),
        createQuickPick: fakeQuickPick((items) => items.slice(0, 1)),
        withProgress: (_options: unknown, work: () => unknown) => work(),
      },
      commands: { executeCommand: (_command: string, uri: { readonly path: string }) => opened.push(uri.path) },
    });
    const { openEvidence } = await import('../../../src/extension/commands/opening');
    const { verifyEvidence } = await import('../../../src/extension/commands/opening');
    const folder = {
      folder: { uri: { fsPath: '/w', path: '/w', toString: () => root }, name: 'w' },
      view: controlView([completed()], 'this'),
    };
    const composition = {
      folders: { all: [folder] },
      log: { warn: (line: unknown) => logged.push(String(line)) },
    } as unknown as Composition;
    const found = {
      evidenceOf: (entry: string) => (entry === 'found' ? { folder, dir: 'docs/ops/executions/found' } : null),
      verify: (_folder: unknown, planId: string) => {
        opened.push(planId);
        return Promise.resolve('{}');
      },
    } as unknown as Parameters<typeof verifyEvidence>[1];
    call = {
      'Open Evidence': (argument) => openEvidence(composition, found, argument),
      'Verify Evidence': (argument) => verifyEvidence(composition, found, argument),
    };
  });
  beforeEach(() => {
    [said, opened, logged, unread] = [[], [], [], null];
  });

  for (const [command, of] of [
    ['Open Evidence', (plan: string) => `/w/docs/ops/executions/${plan}/EXECUTION_SUMMARY.md`],
    ['Verify Evidence', (plan: string) => plan],
  ] as const) {
    it(`turns to no other evidence where its mission is gone (${command})`, async () => {
      await call[command](gone);
      assert.deepEqual(opened, []);
      assert.deepEqual(said, [
        `${command}: the mission is no longer in this window. Nothing was changed; open Mission Control to see what is there.`,
      ]);
      assert.deepEqual(logged, [`Refused: ${command}: the mission is no longer in this window.`]);
    });

    it(`takes what it was called on, and without that what is there (${command})`, async () => {
      const { mission_id: missionId, plan_id } = completed();
      for (const argument of [{ folder: root, missionId }, { missionId: 'found' }, undefined, { other: 1 }])
        await call[command](argument);
      assert.deepEqual(opened, [plan_id, 'found', 'other', 'other'].map(of));
    });
  }

  it('says that no evidence is there only where its folders can be read (Open Evidence)', async () => {
    for (unread of ['/executions', '/other']) await assert.rejects(call['Open Evidence'](), /NoPermissions/);
    assert.deepEqual(said, []);
  });
});
