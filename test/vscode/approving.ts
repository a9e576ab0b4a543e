import type { Frame } from './harness/playwright';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

/** What the button says that approves, in each of the places where a person is asked. */
export type ApproveButton = 'Approve These Bytes' | 'Approve and Run' | 'Approve and Resume';

/** Waits until a person is asked about a plan, on its page. */
export async function approvalAsked(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<void> {
  await waitFor(() => askedNow(window, button), { what: `the question that ${button} answers` });
}

/** Returns whether a person is asked now. */
export async function askedNow(window: VscodeWindow, button: ApproveButton): Promise<boolean> {
  return (await pageWith(window, button)) !== null;
}

/** Waits for the question about a plan and approves it as a person does; returns what was shown. */
export async function approveShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<string> {
  const page = await pageShown(window, button);
  await approvePage(window, button);
  return page;
}

/** Presses the button of the page, which closes. */
export async function approvePage(window: VscodeWindow, button: ApproveButton = 'Approve These Bytes'): Promise<void> {
  await waitFor(
    async () => {
      const page = await pageWith(window, button);
      if (page === null) return true;
      await page.locator('a.button.first').click({ timeout: 2000 });
      return undefined;
    },
    { what: `the page to close after ${button}` },
  );
}

/** The page in front that has this button; null: none. */
async function pageWith(window: VscodeWindow, button: ApproveButton): Promise<Frame | null> {
  for (const frame of await window.webviewFrames(/^Approve /))
    if ((await frame.locator('a.button.first', { hasText: button }).count()) > 0) return frame;
  return null;
}

/** Waits for the question about a plan; returns what its page says, as it is drawn. */
export async function pageShown(window: VscodeWindow, button: ApproveButton = 'Approve These Bytes'): Promise<string> {
  return waitFor(
    async () => {
      const page = await pageWith(window, button);
      const text = page && String(await page.evaluate('document.querySelector("main").innerText'));
      return text?.includes('That is everything') && text.replace(/\n{2,}/g, '\n');
    },
    { what: 'the whole page of the approval' },
  );
}
