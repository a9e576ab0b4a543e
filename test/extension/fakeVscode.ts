import { createRequire, registerHooks } from 'node:module';

/** Stands for whatever of VS Code a test does not look at. */
const anything: unknown = new Proxy(
  function thing() {
    return undefined;
  },
  { get: () => anything, apply: () => anything, construct: () => ({}) },
);

/** Where product code finds it: in a module of this address, which has what lies in this place. */
const address = 'fake:vscode';
const place = 'vscodeOfTest';

/**
 * What product code gets for `vscode` from now on, for what no real VS Code does when asked, such as a failure. The code
 * is imported after this call, with `await import(…)`.
 */
export function fakeVscode(members: Readonly<Record<string, unknown>>): void {
  const found = new Proxy(members, { get: (known, name) => (name in known ? known[String(name)] : anything) });
  const isFirst = !(place in globalThis);
  Object.assign(globalThis, { [place]: found });
  // Test files share a process. Node.js asks no hook again for what a file of the same folder has loaded.
  Reflect.deleteProperty(createRequire(__filename).cache, address);
  if (!isFirst) return;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url: address, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === address
        ? { format: 'commonjs', source: `module.exports = globalThis.${place};`, shortCircuit: true }
        : next(url, context),
  });
}
