import type { DialogState } from './harness/dialogs';
import type { VscodeWindow } from './harness/window';

/** What the button says that approves, in each of the places where a person is asked. */
export type ApproveButton = 'Approve' | 'Approve and Run' | 'Approve and Resume';

/** Waits for the question about a plan and approves it as a person does; returns what was shown. */
export async function approveShown(
  window: VscodeWindow,
  button: ApproveButton = 'Approve',
): Promise<{ readonly dialog: DialogState }> {
  return { dialog: await window.dialogs.answer(button) };
}
