import type { DialogState } from './harness/dialogs';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

/** What the button says that approves, in each of the places where a person is asked. */
export type ApproveButton = 'Approve These Bytes' | 'Approve and Run' | 'Approve and Resume';

export interface ShownApproval {
  readonly dialog: DialogState;
  /** The whole text of the page behind Review; null where the dialog was enough. */
  readonly page: string | null;
}

/** Waits for the question about a plan and approves it as a person does; returns what was shown. */
export async function approveShown(window: VscodeWindow, button: ApproveButton = 'Approve These Bytes'): Promise<ShownApproval> {
  const { buttons } = await window.dialogs.read();
  if (buttons.includes(button)) return { dialog: await window.dialogs.answer(button), page: null };
  const { dialog, page } = await reviewShown(window, button);
  await approvePage(window, button);
  return { dialog, page };
}

/** Waits for the question about a plan and opens its page. */
export async function reviewShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve These Bytes',
): Promise<{ readonly dialog: DialogState; readonly page: string }> {
  const dialog = await window.dialogs.answer('Review');
  const title = window.page
    .locator('.editor-group-container.active .editor-actions')
    .getByText(button, { exact: true });
  await title.waitFor({ timeout: 60_000 });
  // The page is drawn after its title.
  const page = await waitFor(
    async () => {
      const text = await window.editor.text();
      return text.includes('That is everything') && text;
    },
    { what: 'the whole page behind Review' },
  );
  return { dialog, page };
}

/** Presses the button in the title of the page, which closes. */
export async function approvePage(window: VscodeWindow, button: ApproveButton = 'Approve These Bytes'): Promise<void> {
  const title = window.page
    .locator('.editor-group-container.active .editor-actions')
    .getByText(button, { exact: true });
  await waitFor(
    async () => {
      if ((await title.count()) === 0) return true;
      await title.click({ timeout: 2000 });
      return undefined;
    },
    { what: `the page to close after ${button}` },
  );
}
