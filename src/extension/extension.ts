import { createRequire, enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import type { ExtensionContext } from 'vscode';

/**
 * The file that VS Code loads. All other code is in `dist/activation.js`. This file loads it with V8's compiled code of
 * the last time. It does so because compiling takes longer than the rest of an activation.
 */
const began = performance.now();
let loaded: typeof import('./activation') | null = null;

export function activate(context: ExtensionContext): void {
  // In the user's own folder, because its content is executed.
  enableCompileCache(path.join(context.globalStorageUri.fsPath, 'compiled'));
  loaded = createRequire(__filename)('./activation.js') as typeof import('./activation');
  loaded.activate(context, began);
  // Writes the cache early, because a host that is ended early writes none.
  context.subscriptions.push(later(flushCompileCache));
}

export async function deactivate(): Promise<void> {
  await loaded?.deactivate();
}

/** Runs the work 5 s later, so that the start does not wait for it. */
function later(work: () => void): { dispose(): void } {
  const timer = setTimeout(work, 5000);
  return { dispose: () => clearTimeout(timer) };
}
