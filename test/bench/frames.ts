import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openJournalThread } from '../../src/adapters/journal/client';
import { processesAtWork } from '../../src/adapters/workspace/makers';
import { processTable } from '../../src/adapters/processes/tree';
import { planFiles } from '../../src/adapters/documents/planFiles';
import { createWorkspaceThread } from '../../src/adapters/workspace/client';
import { plannedFile } from '../../src/engine/mission/approvePlan';
import { checkPlan, findingsInEditor } from '../../src/engine/plans/check';
import type { Outcome } from '../../src/base/outcome';
import { longestBlock, median, type Line } from './measure';
import { agentPlan } from './plans';

const actor = { kind: 'runner', name: 'bench' } as const;
const at = '2026-01-01T00:00:00.000Z';

/** How long the thread that asks cannot do anything else: in the extension host that must stay below a frame. */
export async function frameBench(scratch: string): Promise<readonly Line[]> {
  const threads = [...(await workspaceFrames(scratch)), ...(await planFrames(scratch))];
  return [...threads, ...(await journalFrames(scratch)), ...(await processFrames(scratch))];
}

/** Among the processes of this machine and 1,000 files that one of them has open. */
async function processFrames(scratch: string): Promise<readonly Line[]> {
  const asked = path.join(scratch, 'asked.txt');
  writeFileSync(asked, '');
  const open = Array.from({ length: 1_000 }, () => openSync(asked, 'r'));
  const lines = [
    await line('looking who has a file open, 1,000 open files', () =>
      processesAtWork(scratch, new Set([asked]), { folder: never, script: never }),
    ),
    await line('reading the process table', () => processTable.list()),
  ];
  for (const one of open) closeSync(one);
  return lines;
}

const never = (): boolean => false;

async function workspaceFrames(scratch: string, files = 100_000): Promise<readonly Line[]> {
  const folder = mkdtempSync(path.join(scratch, 'tree-'));
  for (let index = 0; index < files; index++) {
    const inner = path.join(folder, `folder-${String(index % 1000)}`);
    if (index < 1000) mkdirSync(inner);
    writeFileSync(path.join(inner, `file-${String(index)}.txt`), String(index));
  }
  const workspace = createWorkspaceThread(path.resolve('dist/workspaceThread.js'), folder, {
    user_state: mkdtempSync(path.join(scratch, 'state-')),
  });
  const request = { mission_id: 'm', forbidden_paths: [], paths: ['out'] };
  const run_dir = path.join(folder, '.mission-control/run');
  let baseline_sha256 = '';
  await workspace.head();
  const baseline = async (): Promise<void> => {
    baseline_sha256 = opened(await workspace.baseline(request)).manifest_sha256;
  };
  const name = `of ${files.toLocaleString('en')} files`;
  const lines = [
    await line(`first baseline ${name}`, baseline, 1),
    await line(`difference ${name}`, () => workspace.difference({ ...request, run_dir, baseline_sha256 }), 1),
    await line(`next baseline ${name}`, baseline, 1),
  ];
  await workspace.close();
  return lines;
}

async function planFrames(scratch: string): Promise<readonly Line[]> {
  const text = JSON.stringify(agentPlan(820), null, 6);
  const draft = text.replace('"APPROVED"', '"DRAFT"');
  const megabytes = (text.length / 1e6).toFixed(1);
  const file = path.join(scratch, 'PLAN_BENCH.json');
  const draftFile = path.join(scratch, 'PLAN_DRAFT.json');
  writeFileSync(file, text);
  writeFileSync(draftFile, draft);
  const decision = { approved_by: 'ada', approved_at: '2026-01-01T00:00:00Z', note: null, recovery_allow: null };
  const machine = {
    wanted: null,
    standing: { kind: 'available', means: 'bubblewrap', not_nested: null, no_layers: null },
  } as const;
  const judge = (): Promise<unknown> => findingsInEditor(planFiles, file, text, {});
  await judge();
  return [
    await line(`judging a text of ${megabytes} MB (editor)`, judge),
    await line('judging its file (run)', () => checkPlan(planFiles, file)),
    await line('judging its file and taking the plan (engine)', async () => (await checkPlan(planFiles, file)).plan),
    await line('approving it', () => plannedFile(planFiles, draftFile, { decision, machine }, {})),
    await line(`digest of a plan of ${megabytes} MB`, () => Promise.resolve(planFiles.parse(text).sha256)),
  ];
}

async function journalFrames(scratch: string): Promise<readonly Line[]> {
  const file = path.join(scratch, 'frames.db');
  const script = path.resolve('dist/journalThread.js');
  const journal = opened(await openJournalThread<object>({ script, file, access: 'write' }));
  const { fence } = opened(await journal.raiseFence(actor));
  const entry = { path: 'src/some/folder/file-number.txt', kind: 'modified', sha256: 'A'.repeat(64), detail: null };
  const event = (count: number) => ({
    type: 'ChangesObserved',
    changes: Array.from({ length: count }, (_, index) => ({ ...entry, path: `${entry.path}${String(index)}` })),
  });
  let seq = 0;
  const append = async (large: object): Promise<void> => {
    const receipt = await journal.append('M', seq, fence, [{ run_id: 'run', at, actor, event: large }]);
    if (!receipt.ok) throw new Error(receipt.reason);
    seq += 1;
  };
  const [middle, large] = [event(6_000), event(75_000)];
  const size = (value: object): string => `${(JSON.stringify(value).length / 1e6).toFixed(0)} MB`;
  const lines = [
    await line(`append of an event of ${size(middle)}`, () => append(middle)),
    await line(`append of an event of ${size(large)}`, () => append(large)),
    await line(`reading events of ${size(large)}`, () => journal.read('M', seq - 1)),
  ];
  await journal.close();
  return lines;
}

async function line(name: string, work: () => Promise<unknown>, rounds = 7): Promise<Line> {
  const blocks: number[] = [];
  for (let round = 0; round < rounds; round++) blocks.push(await longestBlock(work));
  const aim = { of: 'value', is: 'at_most', value: 16 } as const;
  return { name: `blocked by ${name}`, unit: 'ms', ours: median(blocks), against: '(one frame)', limit: null, aim };
}

function opened<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.reason);
  return outcome.value;
}
