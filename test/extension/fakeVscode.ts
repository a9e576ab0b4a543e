import { registerHooks } from 'node:module';

/** Stands for whatever of VS Code a test does not look at. */
const anything: unknown = new Proxy(
  function thing() {
    return undefined;
  },
  { get: () => anything, apply: () => anything, construct: () => ({}) },
);

/**
 * What product code gets for `vscode` from now on, for what no real VS Code does when asked, such as a failure. The code
 * is imported after this call, with `await import(…)`.
 */
export function fakeVscode(members: Readonly<Record<string, unknown>>): void {
  const found = new Proxy(members, { get: (known, name) => (name in known ? known[String(name)] : anything) });
  // Test files share a process, and Node.js keeps what was loaded from an address: each call has one of its own.
  const holder = `vscodeOfTest${Object.keys(globalThis).filter((name) => name.startsWith('vscodeOfTest')).length}`;
  const address = `fake:${holder}`;
  Object.assign(globalThis, { [holder]: found });
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url: address, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === address
        ? { format: 'commonjs', source: `module.exports = globalThis.${holder};`, shortCircuit: true }
        : next(url, context),
  });
}
