import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { MissionFolder, MissionFolders } from '../../../src/extension/folder/missionFolders';
import type { PanelData } from '../../../src/extension/views/panelData';
import { waitFor } from '../../vscode/harness/waitFor';
import { fakeVscode } from '../fakeVscode';

type Listener<T> = (value: T) => unknown;

const nothing = { dispose: () => undefined };
const holds = JSON.stringify({ valid: true, findings: [] });
const finding = { code: 'SUMMARY_MISMATCH', severity: 'error', file: 'EXECUTION_SUMMARY.md', message: 'It differs.' };
const broken = JSON.stringify({ valid: false, findings: [finding] });

/** The verdict on the Mission Control page, where the files of the evidence change below it. */
describe('the verdict about evidence on the page', () => {
  const changed: Listener<{ readonly path: string }>[] = [];
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-evidence-')));
  const folder = {
    folder: { uri: { path: root, fsPath: root, toString: () => `file://${root}` }, name: 'w', index: 0 },
    view: null,
    read: { missions: [], unreadable: [] },
  } as unknown as MissionFolder;
  let data: PanelData;
  let prints: string;
  let news: number;

  after(() => rmSync(root, { recursive: true }));
  before(() => {
    mkdirSync(path.join(root, 'docs/ops/executions/first-1'), { recursive: true });
    writeFileSync(path.join(root, 'docs/ops/executions/first-1/EXECUTION_HEADER.json'), '{}');
    fakeVscode({
      EventEmitter: class<T> {
        readonly #listeners: Listener<T>[] = [];
        readonly event = (listener: Listener<T>): unknown => {
          this.#listeners.push(listener);
          return nothing;
        };
        readonly fire = (value: T): void => {
          for (const listener of this.#listeners) listener(value);
        };
        readonly dispose = (): void => undefined;
      },
      Uri: {
        joinPath: ({ path }: { readonly path: string }, ...parts: readonly string[]) => ({
          path: [path, ...parts].join('/'),
        }),
      },
      RelativePattern: class {
        constructor(
          readonly folder: unknown,
          readonly pattern: string,
        ) {}
      },
      workspace: {
        createFileSystemWatcher: () => ({
          onDidCreate: () => nothing,
          onDidChange: (listener: Listener<{ readonly path: string }>) => changed.push(listener),
          onDidDelete: () => nothing,
          ...nothing,
        }),
      },
    });
  });

  beforeEach(async () => {
    const { FoundEvidence } = await import('../../../src/extension/views/folderFiles');
    const { PanelData } = await import('../../../src/extension/views/panelData');
    changed.length = 0;
    const folders = { all: [folder], onDidChange: () => nothing } as unknown as MissionFolders;
    const evidence = new FoundEvidence(folders);
    data = new PanelData({
      folders,
      drafts: { of: () => [], isRead: () => true },
      evidence,
      mission: () => Promise.resolve(prints),
      lines: () => Promise.resolve(new Map()),
      now: () => '2026-01-01T00:00:00.000Z',
      found: () => null,
    });
    await waitFor(() => evidence.of(folder).length === 1, { what: 'the evidence to be found' });
    prints = holds;
    assert.equal(await standing(), 'unknown');
    await turn();
    assert.equal(await standing(), 'good');
    news = 0;
    data.onDidChange(() => (news += 1));
  });

  async function standing(): Promise<string | null> {
    const { shown } = await data.view(data.items()[0]?.entry.id ?? null);
    return shown?.kind === 'evidence_only' ? shown.evidence.verified.standing : null;
  }

  it('is the answer of Verify Evidence, and the page is drawn again', async () => {
    prints = broken;
    assert.equal(await data.verify(folder, 'first-1'), broken);
    assert.equal(news, 2);
    assert.equal(await standing(), 'bad');
  });

  it('is made anew when a file of the evidence changes', async () => {
    prints = broken;
    for (const listener of changed) listener({ path: `${root}/docs/ops/executions/first-1/EXECUTION_SUMMARY.md` });
    assert.equal(news, 1);
    assert.equal(await standing(), 'unknown');
    await turn();
    assert.equal(await standing(), 'bad');
  });

  it('stays when the evidence of another plan changes', async () => {
    for (const listener of changed) listener({ path: `${root}/docs/ops/executions/first-10/EXECUTION_SUMMARY.md` });
    assert.equal(news, 0);
    assert.equal(await standing(), 'good');
  });
});
