import { window, type ExtensionContext } from 'vscode';
import { ui } from '../base/text/marked/ui';
import { compose, type Composition } from './compose';
import { contributionsOf } from './contributions';
import { startContributions } from './registry/registry';
import { logTo } from './window/log';

let composition: Composition | null = null;

/**
 * Registers the contributions. Does no more before there is a plan, a mission or a command.
 *
 * @param began when VS Code called, by `performance.now()`
 */
export function activate(context: ExtensionContext, began: number): void {
  const channel = window.createOutputChannel('Mission Control', { log: true });
  const log = logTo(channel);
  composition = compose(context, log);
  context.subscriptions.push(channel, composition.folders, startContributions(contributionsOf(composition), log));
  log.info(ui`Started in ${Math.round(performance.now() - began)} ms`);
}

/** Releases the lease when the window closes or reloads; workers run on, and the next activation attaches. */
export async function deactivate(): Promise<void> {
  await composition?.folders.letGo();
  composition = null;
}
