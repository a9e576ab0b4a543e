import { existsSync } from 'node:fs';
import path from 'node:path';
import { pipForTests } from '../../../scripts/pip.mjs';
import { findExecutable } from '../../../src/adapters/processes/commandLine';
import { machinePath } from '../../support/machine';
import type { Habitat } from '../habitat';

/**
 * What pip itself does in the sandbox, in a .venv that the plan opens: the verify command installs a wheel and a source
 * archive, which pip builds in its cache.
 */
export const pip: readonly Habitat[] = [
  row('builds into a cold cache, which goes with the checks of the attempt', false),
  row('finds in HOME what the person built', true),
];

function row(what: string, warm: boolean): Habitat {
  const install = '.venv/bin/pip install --no-index --find-links vendor --no-deps --force-reinstall seed plain';
  return {
    name: `pip ${what}`,
    confined: true,
    async lacks() {
      const python = await findExecutable('python3', { PATH: machinePath() });
      const missing = python === null ? 'python3 is not on PATH' : pipForTests(process.cwd()).missing;
      return missing === undefined ? null : `no toolchain here: ${missing}`;
    },
    project: {
      module: 'app/answer.py',
      test: ['sh', '-c', `${install} && .venv/bin/python3 -m unittest -q`],
    },
    execution: { scratch: ['.venv/'] },
    async make(place) {
      place.write('app/__init__.py', '');
      place.write(
        'app/answer.py',
        'from plain import none\nfrom seed import one\n\n\ndef answer():\n    return none + one - 1 + 41\n',
      );
      place.write('tests/__init__.py', '');
      place.write(
        'tests/test_answer.py',
        'import unittest\nfrom app.answer import answer\n\n\nclass Answer(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(answer(), 42)\n',
      );
      place.write(path.join(place.scratch, 'seed-1.0.0/pyproject.toml'), project);
      place.write(path.join(place.scratch, 'seed-1.0.0/backend.py'), backend);
      const { wheel } = pipForTests(process.cwd());
      // Beside the archive of sources a wheel, which the same backend makes.
      await place.repository(`printf '.venv/\\n__pycache__/\\n' > .gitignore && mkdir vendor
        tar -C "$SCRATCH" -czf vendor/seed-1.0.0.tar.gz seed-1.0.0
        (cd "$SCRATCH/seed-1.0.0" && python3 -c 'import backend; backend.wheel("'"$WORK"'/vendor", "plain", "none = 0")')
        "$(readlink -f "$(command -v python3)")" -m venv --without-pip .venv
        .venv/bin/python3 '${wheel}/pip' install -q --no-cache-dir --no-index '${wheel}'
        ${warm ? `${install} -q && .venv/bin/pip uninstall -q -y seed plain` : 'true'}`);
    },
    async afterwards(place) {
      const built = await place.sh(`find "$MISSION_CONTROL_HOME" -type f -name ${builds} -exec cat {} +`);
      const listed = await place.sh('.venv/bin/python3 -m pip list');
      return {
        // The layer of a check lies above HOME and goes with the last check of its attempt.
        'no layer has what was built': built === '',
        'HOME has what the person built, or no cache at all':
          warm === existsSync(path.join(place.home, '.cache')) &&
          (!warm || (await place.sh(`cat ~/.cache/${builds}`)) === 'built'),
        'both are installed': /^plain +1.0.0$/m.test(listed) && /^seed +1.0.0$/m.test(listed),
      };
    },
  };
}

/** Below the cache of HOME: a line for each time that the source archive was built. */
const builds = 'seed-was-built';

const project = `[project]
name = "seed"
version = "1.0.0"

[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
`;

/** Builds a wheel of one module without any other package. */
const backend = `import os
import zipfile


def wheel(folder, name, source):
    file = name + '-1.0.0-py3-none-any.whl'
    info = name + '-1.0.0.dist-info/'
    with zipfile.ZipFile(os.path.join(folder, file), 'w') as made:
        made.writestr(name + '.py', source + '\\n')
        made.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: ' + name + '\\nVersion: 1.0.0\\n')
        made.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        made.writestr(info + 'RECORD', '')
    return file


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = 'seed-1.0.0.dist-info'
    os.mkdir(os.path.join(folder, info))
    with open(os.path.join(folder, info, 'METADATA'), 'w') as made:
        made.write('Metadata-Version: 2.1\\nName: seed\\nVersion: 1.0.0\\n')
    return info


def build_wheel(folder, config_settings=None, metadata_directory=None):
    os.makedirs(os.path.expanduser('~/.cache'), exist_ok=True)
    with open(os.path.expanduser('~/.cache/${builds}'), 'a') as mark:
        mark.write('built\\n')
    return wheel(folder, 'seed', 'one = 1')
`;
