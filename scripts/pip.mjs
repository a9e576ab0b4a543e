// pip for tests, where the machine has none: the distribution's wheel, unpacked into test/tools/pip and not installed.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run, unpackedOnce } from './debian.mjs';

const wheels = 'usr/share/python-wheels';

/**
 * @param {string} root the repository root
 * @returns {{ wheel: string } | { missing: string }} the wheel, which runs as `python3 WHEEL/pip`, or why it is missing
 */
export function pipForTests(root) {
  const installed = wheelIn('/');
  if (installed !== undefined) return { wheel: installed };
  const tools = path.join(root, 'test/tools/pip');
  const failed = unpackedOnce(tools, {
    file: wheels,
    packages: () => ['python3-pip-whl'],
    works: (unpacked) => {
      const wheel = wheelIn(unpacked);
      if (wheel === undefined) return 'the package holds no wheel';
      return run('/usr/bin/python3', [path.join(wheel, 'pip'), '--version'], tools);
    },
  });
  if (failed !== null) return { missing: `pip cannot be had: ${failed}` };
  return { wheel: wheelIn(path.join(tools, 'unpacked')) };
}

/** `usr/share/python-wheels/pip-23.0.1-py3-none-any.whl` */
function wheelIn(root) {
  const folder = path.join(root, wheels);
  const name = existsSync(folder) ? readdirSync(folder).find((one) => /^pip-.*\.whl$/.test(one)) : undefined;
  return name === undefined ? undefined : path.join(folder, name);
}
