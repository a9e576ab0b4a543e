import { installVscodeTools } from '../../scripts/vscode-server.mjs';
import type { PanelView } from '../../src/contracts/page/panelView';
import { panelOf } from '../support/panelOf';
import { closeBrowser } from '../webview/browser';
import { manyTasks } from '../webview/manyTasks';
import { openPane, type Pane } from '../webview/pane';
import { median, type Line } from './measure';

const tasks = 500;
const rounds = 21;

/**
 * From a snapshot that reaches the page to the frame in which it is painted, against a message that changes nothing:
 * waiting for a frame takes its time as well. By the clock of the page.
 */
export async function pageBench(): Promise<readonly Line[]> {
  await installVscodeTools(process.cwd());
  const entries = manyTasks(tasks, 412);
  const pane = await openPane();
  try {
    const panels = [entries, entries.slice(0, -1)].map((some) => panelOf({ missions: [some] }));
    await hold(pane, panels);
    const first = await painted(pane, 0, 1);
    const times = { ours: [] as number[], nothing: [] as number[] };
    for (let round = 1; round <= rounds; round++) {
      times.ours.push(await painted(pane, round % 2, round + 1));
      times.nothing.push(await painted(pane, null, round + 1));
    }
    await pane.page.evaluate('window.scrollTo(0, 6000)');
    await pane.painted();
    const scrolled: number[] = [];
    for (let round = 1; round <= rounds; round++) scrolled.push(await painted(pane, round % 2, rounds + round + 1));
    const limit = median(times.nothing);
    const size = `${tasks} tasks, ${entries.length} events`;
    const against = 'a message that changes nothing, to the next frame';
    return [
      { name: `first snapshot to painted frame, ${size}`, unit: 'ms', ours: first, limit, against, aim: null },
      {
        ...{ name: `next snapshot to painted frame, ${size}`, unit: 'ms', ours: median(times.ours), limit, against },
        aim: { of: 'ratio', is: 'at_most', value: 2 },
      },
      {
        ...{ name: 'the same, scrolled to the middle', unit: 'ms', ours: median(scrolled), limit, against },
        aim: { of: 'ratio', is: 'at_most', value: 2 },
      },
    ];
  } finally {
    await pane.close();
    await closeBrowser();
  }
}

/** What is sent lies in the page before: bringing it there is the browser's driver, not ours. */
async function hold(pane: Pane, panels: readonly PanelView[]): Promise<void> {
  await pane.page.evaluate(`window.held = ${JSON.stringify(panels)}`);
}

/** @param panel place of the snapshot that is held; null: a message that no page knows */
async function painted(pane: Pane, panel: number | null, sequence: number): Promise<number> {
  const message =
    panel === null ? `{ type: 'nothing' }` : `{ type: 'snapshot', sequence: ${sequence}, panel: held[${panel}] }`;
  const script = `new Promise((done) => {
    const message = ${message};
    const began = performance.now();
    window.addEventListener('message', () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))), { once: true });
    window.postMessage(message, '*');
  })`;
  return Number(await pane.page.evaluate(script));
}
