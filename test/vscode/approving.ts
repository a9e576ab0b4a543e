import type { DialogState } from './harness/dialogs';
import type { Locator } from './harness/playwright';
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
  return (await titleOf(window, button).count()) > 0 ? 'page' : undefined;
}

/** Waits for the question about a plan and approves it as a person does; returns what was shown. */
export async function approveShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<ShownApproval> {
  if ((await approvalAsked(window, button)) === 'dialog')
    return { dialog: await window.dialogs.answer(button), page: null };
  const page = await pageShown(window);
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
  await titleOf(window, button).waitFor({ timeout: 60_000 });
  return { page: await pageShown(window) };
}

/** Presses the button in the title of the page, which closes. */
export async function approvePage(window: VscodeWindow, button: ApproveButton = 'Approve These Bytes'): Promise<void> {
  const title = titleOf(window, button);
  await waitFor(
    async () => {
      if ((await title.count()) === 0) return true;
      await title.click({ timeout: 2000 });
      return undefined;
    },
    { what: `the page to close after ${button}` },
  );
}

function titleOf(window: VscodeWindow, button: ApproveButton): Locator {
  return window.page.locator('.editor-group-container.active .editor-actions').getByText(button, { exact: true });
}

/** The page is drawn after its title. */
async function pageShown(window: VscodeWindow): Promise<string> {
  return waitFor(
    async () => {
      const text = await window.editor.text();
      return text.includes('That is everything') && text;
    },
    { what: 'the whole page of the approval' },
  );
}
