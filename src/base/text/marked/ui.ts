import { safeTemplate, type SafeText, type Shown } from './safeText';

/**
 * Text for what the editor draws itself: notifications, dialogs, lists, input boxes, status bar, names of terminals.
 * One line, unless it was made of `ui.lines`. `extension/window/` disarms links and icons.
 */
export type UiText = SafeText<'ui'>;
export type UiValue = Shown<'ui'>;

/** ui`Mission ${plan_id} is paused.` */
export const ui = safeTemplate<'ui'>((text) => text);

/**
 * VS Code makes a link of `[label](scheme:target)` in notifications, above lists and below input boxes. A space without
 * width parts it, because VS Code would show a backslash there. Text that is no link stays as it is.
 */
export function withoutLinks(text: string): string {
  return text.replace(/\]\((?=[a-z][a-z0-9+.-]*:)/gi, ']\u200b(');
}

/** VS Code makes an icon of `$(name)` in lists, prompts and the status bar. It does not show a backslash before one. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi, '\\$&');
}
