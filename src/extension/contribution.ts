import type { Disposable, LogOutputChannel } from 'vscode';

/** One thing the extension adds to VS Code. Built at activation, disposed with the extension. */
export type Contribution = Disposable;

/** Builds each contribution by itself: one that fails is reported and hides none of the others. */
export function startContributions(starters: readonly { readonly name: string; start(): Contribution }[], log: LogOutputChannel): Disposable {
  const started: Contribution[] = [];
  for (const { name, start } of starters) {
    try {
      started.push(start());
    } catch (error) {
      log.error(`${name} could not be started`, error instanceof Error ? error : String(error));
    }
  }
  return {
    dispose() {
      for (const contribution of started.reverse()) contribution.dispose();
    },
  };
}
