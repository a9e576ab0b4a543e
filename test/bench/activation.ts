import path from 'node:path';
import { removeScratchFolders } from '../vscode/harness/scratch';
import { waitFor } from '../vscode/harness/waitFor';
import type { VscodeWindow } from '../vscode/harness/window';
import { makeMissionWorkspace, startMissionServer } from '../vscode/missionWorkspace';
import { median, type Line } from './measure';

const windows = 5;
const aim = { of: 'value', is: 'at_most', value: 80 } as const;

/**
 * What VS Code says that it took to activate the extension (`Developer: Show Running Extensions`: loading its code and
 * starting it), in windows one after the other: where a plan wakes it, and where its first command does without a plan.
 * The first window of a machine compiles.
 */
export async function activationBench(): Promise<readonly Line[]> {
  const withPlan = await startsOf(true);
  const without = await startsOf(false);
  return [
    line('activation, the first on a machine', withPlan.slice(0, 1), null),
    line('activation with a plan', withPlan.slice(1), aim),
    line('activation without a plan, by a command', without.slice(1), aim),
  ];
}

function line(name: string, times: readonly number[], wanted: Line['aim']): Line {
  return { name, unit: 'ms', ours: median(times), against: '(said by VS Code)', limit: null, aim: wanted };
}

async function startsOf(plan: boolean): Promise<readonly number[]> {
  const workspace = await makeMissionWorkspace('activation', ['only']);
  const server = await startMissionServer(workspace);
  const starts: number[] = [];
  const folder = plan ? workspace.workspaceDir : path.join(workspace.workspaceDir, 'tools');
  try {
    for (let count = 1; count <= windows; count++) {
      const window = await server.openWindow(folder);
      if (!plan) await window.command('Mission Control: Show Mission Control');
      starts.push(await activationTime(window));
      await window.close();
    }
    return starts;
  } finally {
    await server.stop();
    await removeScratchFolders();
  }
}

async function activationTime(window: VscodeWindow): Promise<number> {
  const read = `[...document.querySelectorAll('.runtime-extensions-editor .monaco-list-row')]
    .map((row) => row.textContent).find((text) => text.includes('Mission Control')) ?? ''`;
  for (let tries = 1; ; tries++) {
    // What is asked while a window opens gets lost now and then.
    await window.command('Developer: Show Running Extensions');
    const time = waitFor(
      async () => {
        const [, ms] = /Activation: (\d+)ms/.exec(String(await window.page.evaluate(read))) ?? [];
        return ms !== undefined && { ms: Number(ms) };
      },
      { what: 'the time of activation', timeout: 10_000 },
    );
    try {
      return (await time).ms;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}
