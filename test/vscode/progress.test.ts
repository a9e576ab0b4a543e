import assert from 'node:assert/strict';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import { runInWindow, waitForStatus, type MissionInWindow } from './missionWorkspace';

describe('a worker that prints, in the window', () => {
  let running: MissionInWindow;
  story(async () => {
    running = await runInWindow('progress', ['first', 'second']);
  });

  it('is shown live in terminal, panel and status bar, in a wide window and in a narrow one', async () => {
    const { window } = running;
    await waitForStatus(window, /Mission progress 0\/2 · \d+ (s|min)/);
    await window.terminals.waitForText(
      'first · command (Mission progress)',
      /running (\d+ min )?\d+ s, last output \d+ s ago, \d+ lines?, /,
    );
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const facts = async (): Promise<string> => frame.locator('.lane').innerText();
    const before = await waitFor(async () => /last output \d+:\d\d ago/.test(await facts()) && (await facts()), {
      what: 'the last output',
    });
    await waitFor(async () => countOf(await facts()) > countOf(before), { what: 'more lines' });
    const time = (text: string): string | undefined => /, for (\d+:\d\d)/.exec(text)?.[1];
    await waitFor(async () => time(await facts()) !== time(before), { what: 'the time to go on' });
    assert.match(await frame.locator('.numbers').innerText(), /^\d+:\d\d\nelapsed/);
    await window.screenshot('progress-wide');
    const printed = linesOf(await window.terminals.text('first · command (Mission progress)'));
    await window.page.setViewportSize({ width: 760, height: 600 });
    await waitFor(async () => countOf(await facts()) > countOf(before), { what: 'the panel in a narrow window' });
    const text = await window.terminals.waitForText(
      'first · command (Mission progress)',
      /^running (\d+ min )?\d+ s, last output .*…$/m,
    );
    const rows = text.trimEnd().split('\n');
    assert.match(rows.at(-1) ?? '', /^running .*…$/, `the line is broken:\n${text}`);
    assert.equal(rows.filter((row) => row.startsWith('running ')).length, 1, text);
    assert.deepEqual(linesOf(text).slice(0, printed.length), printed, 'nothing that was printed is lost');
    await window.screenshot('progress-narrow');
  });
});

/** What stays on the terminal, without the line that is drawn over and over. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((row) => row !== '' && !row.startsWith('running '));
}

/** Lines of output, as the page shows them. */
function countOf(text: string): number {
  return Number((/([\d,]+) lines/.exec(text)?.[1] ?? '0').replaceAll(',', ''));
}
