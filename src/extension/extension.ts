import { window, type ExtensionContext } from 'vscode';
import { compose, type Composition } from './compose';
import { contributionsOf } from './contributions';
import { startContributions } from './registry/contribution';
import { logTo } from './window/log';

let composition: Composition | null = null;

/** Registers the contributions. Nothing else happens before there is a plan, a mission or a command. */
export function activate(context: ExtensionContext): void {
  const channel = window.createOutputChannel('Mission Control', { log: true });
  const log = logTo(channel);
  composition = compose(context, log);
  context.subscriptions.push(channel, composition.folders, startContributions(contributionsOf(composition), log));
}

/** Releases the lease when the window closes or reloads; workers run on, and the next activation attaches. */
export async function deactivate(): Promise<void> {
  await composition?.folders.letGo();
  composition = null;
}
