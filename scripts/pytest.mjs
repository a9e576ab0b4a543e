// pytest for tests, where the machine has none: the distribution's packages, unpacked into test/tools/pytest and not
// installed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { unpackedOnce } from './debian.mjs';

const python = '/usr/bin/python3';
const modules = 'usr/lib/python3/dist-packages';

/**
 * @param {string} root the repository root
 * @returns {{ python: string, modules: string } | { missing: string }} the interpreter, and the folder of its module;
 *   or why it is missing
 */
export function pytestForTests(root) {
  const tools = path.join(root, 'test/tools/pytest');
  const failed = unpackedOnce(tools, {
    file: `${modules}/pytest`,
    packages: () => ['pytest', 'iniconfig', 'packaging', 'pluggy', 'attr'].map((name) => `python3-${name}`),
    works: (unpacked) => {
      const env = { PYTHONPATH: path.join(unpacked, modules), PYTHONDONTWRITEBYTECODE: '1' };
      const { status, stderr, error } = spawnSync(python, ['-m', 'pytest', '--version'], { env, encoding: 'utf8' });
      if (error !== undefined) return `${python}: ${error.message}`;
      return status === 0 ? null : stderr.trim().slice(-300);
    },
  });
  if (failed !== null) return { missing: `pytest cannot be had: ${failed}` };
  return { python, modules: path.join(tools, 'unpacked', modules) };
}
