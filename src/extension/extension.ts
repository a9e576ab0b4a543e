import { createRequire, enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import type { ExtensionContext } from 'vscode';

/**
 * What VS Code loads. All the rest is in `dist/activation.js`, which it loads here with the code that V8 compiled the
 * last time: compiling takes longer than everything else that happens at activation.
 */
const began = performance.now();
let loaded: typeof import('./activation') | null = null;

export function activate(context: ExtensionContext): void {
  // In the user's own folder: what lies there is executed.
  enableCompileCache(path.join(context.globalStorageUri.fsPath, 'compiled'));
  loaded = createRequire(__filename)('./activation.js') as typeof import('./activation');
  loaded.activate(context, began);
  // A host that is ended early writes nothing by itself.
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
