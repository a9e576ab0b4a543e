import type { DialogState } from './harness/dialogs';
import type { Frame } from './harness/playwright';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

/** What the button says that approves, in each of the places where a person is asked. */
export type ApproveButton = 'Approve These Bytes' | 'Approve and Run' | 'Approve and Resume';

export interface ShownApproval {
  readonly dialog: DialogState;
  /** The whole text of the page; null where a dialog was enough. */
  readonly page: string | null;
}

/** Waits until a person is asked about a plan: in a dialog, or on its page, which comes at once where one has to read it. */
export async function approvalAsked(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<'dialog' | 'page'> {
  return waitFor(() => askedNow(window, button), { what: `the question that ${button} answers` });
}

/** Where a person is asked now; undefined: nowhere. */
export async function askedNow(window: VscodeWindow, button: ApproveButton): Promise<'dialog' | 'page' | undefined> {
  if (await window.dialogs.isOpen()) return 'dialog';
  return (await pageWith(window, button)) === null ? undefined : 'page';
}

/** Waits for the question about a plan and approves it as a person does; returns what was shown. */
export async function approveShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<ShownApproval> {
  if ((await approvalAsked(window, button)) === 'dialog')
    return { dialog: await window.dialogs.answer(button), page: null };
  const page = await pageShown(window, button);
  await approvePage(window, button);
  // The page says all that a dialog would, its question first.
  return { dialog: { message: page.split('\n')[0] ?? '', detail: page, buttons: [button] }, page };
}

/** Waits for the question about a plan and opens its page. */
export async function reviewShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<{ readonly page: string }> {
  if ((await approvalAsked(window, button)) === 'dialog') await window.dialogs.answer('Review');
  return { page: await pageShown(window, button) };
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

/** What the page says, as it is drawn. */
async function pageShown(window: VscodeWindow, button: ApproveButton): Promise<string> {
  return waitFor(
    async () => {
      const page = await pageWith(window, button);
      const text = page && String(await page.evaluate('document.querySelector("main").innerText'));
      return text?.includes('That is everything') && text.replace(/\n{2,}/g, '\n');
    },
    { what: 'the whole page of the approval' },
  );
}
