import assert from 'node:assert/strict';
import type { UiText } from '../../../../src/base/text/marked/ui';
import type { Composition } from '../../../../src/extension/compose';
import { fakeVscode } from '../../fakeVscode';
import { asksRecovery } from '../../../../src/engine/mission/approvePlan';
import { planFiles } from '../../../../src/adapters/documents/planFiles';
import { richPlan, withEdits } from '../../../core/plan/cases';

const uri = { fsPath: '/here/docs/plans/PLAN_p.json', toString: () => 'file:///here/docs/plans/PLAN_p.json' };

const plan = JSON.stringify(withEdits(richPlan, [['/plan_id', 'p']]));

/** A plan whose file says that it is approved: nothing is written, so no writing finds out that it has changed. */
describe('a plan whose page stands open', () => {
  let alarms: string[];
  let recorded: unknown[];
  let document: { readonly uri: typeof uri; isDirty: boolean; readonly isClosed: boolean };
  let onDisk: string;
  let titles: string[];
  let approved: (meanwhile: () => void) => Promise<unknown>;

  before(async () => {
    fakeVscode({
      workspace: {
        isTrusted: true,
        workspaceFolders: [],
        getWorkspaceFolder: () => undefined,
        asRelativePath: () => 'docs/plans/PLAN_p.json',
        get textDocuments(): readonly unknown[] {
          return [document];
        },
      },
      window: {
        showErrorMessage: (text: string) => Promise.resolve(void alarms.push(text)),
      },
    });
    const { approve } = await import('../../../../src/extension/commands/plan/approvePlan');
    approved = (meanwhile) => {
      const composition = compositionOf(meanwhile) as Composition;
      return approve(composition, uri as never, { title: 'Approve Plan', button: 'Approve These Bytes' });
    };
  });
  beforeEach(() => {
    [alarms, recorded, onDisk, titles] = [[], [], plan, []];
    document = { uri, isDirty: false, isClosed: false };
  });

  function compositionOf(meanwhile: () => void): unknown {
    const folder = {
      folder: { uri: { fsPath: '/here', path: '/here', toString: () => 'file:///here' }, name: 'here', index: 0 },
      recordApproval: (_actor: unknown, { plan_sha256 }: { readonly plan_sha256: string }, reason: string) => {
        recorded.push([plan_sha256, reason]);
        return Promise.resolve({ accepted: true, code: 'OK', reason: '', next: [] });
      },
      missionSources: () => Promise.resolve({ missions: [], ports: {} }),
    };
    const other = { folder: { uri: { path: '/other' }, name: 'other', index: 1 } };
    return {
      folders: { all: [folder, other], of: () => folder },
      doneSteps: { tickPlan: () => undefined },
      settings: {
        confinement: () => ({}),
        defaultWorker: () => 'command',
        worker: () => ({ model: null, extraArgs: [] }),
      },
      person: { identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }) },
      clock: { now: () => '2026-01-02T00:00:00.000Z' },
      sandboxes: { standing: () => Promise.resolve({ kind: 'unavailable', reason: 'none' }) },
      hosts: () => ({}),
      providers: () => Promise.resolve({}),
      plans: { ...planFiles, read: () => Promise.resolve(planFiles.parse(onDisk)) },
      reviews: {
        ask: ({ title }: { readonly title: UiText }) => {
          titles.push(title.toString());
          meanwhile();
          return Promise.resolve(true);
        },
      },
    };
  }

  it('is asked which corrections need no question, if an agent works on it and it does not say', () => {
    const given = { status: 'DRAFT', tasks: [{ worker: 'command' }, {}] };
    const answers = [
      given,
      { ...given, status: 'APPROVED' },
      { ...given, execution: { recovery: { allow: [] } } },
      { tasks: [{ worker: 'command' }] },
    ];
    assert.deepEqual([...answers, null, [], { tasks: 1 }].map(asksRecovery), [
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is approved as it was shown', async () => {
    assert.notEqual(await approved(() => undefined), undefined);
    assert.deepEqual([recorded, alarms], [[[planFiles.parse(plan).sha256, 'Approved on a page of VS Code.']], []]);
  });

  it('is named with its folder in the tab, because another folder may have a plan of the same id', async () => {
    await approved(() => undefined);
    assert.deepEqual(titles, ['Approve p in here']);
  });

  for (const [what, meanwhile, why] of [
    ['its file has changed', () => (onDisk = `${plan}\n`), 'has changed since it was shown'],
    ['its editor has unsaved changes', () => (document.isDirty = true), 'has unsaved changes, which were not shown'],
  ] as const)
    it(`is not approved once ${what}`, async () => {
      assert.equal(await approved(meanwhile), undefined);
      assert.deepEqual(recorded, []);
      assert.deepEqual(alarms, [
        `Approve Plan was refused (PLAN_HASH_MISMATCH). Nothing was approved, because the plan ${why}. Next: Look at it again, then repeat the command.`,
      ]);
    });
});
