import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pnpmForTests } from '../../../scripts/pnpm.mjs';
import type { Habitat } from '../habitat';
import { packSeed, serveSeed } from '../npmRegistry';
import type { Place } from '../place';

/** What pnpm itself does in the sandbox: the verify command installs, and then writes into an installed package. */
export const pnpm: readonly Habitat[] = ([10, 12] as const).flatMap((major) => [
  row(major, 'installs offline from the store in HOME', {}),
  row(major, 'installs offline in a folder of the task', { project: 'web/' }),
  row(major, 'fills a cold store from an archive of the repository', { cold: true }),
  row(major, 'finds node_modules of hard links into the store in HOME', { linked: true }),
]);

interface Kind {
  /** The folder of the project. Default: the workspace itself. */
  readonly project?: string;
  /** HOME has no store. */
  readonly cold?: boolean;
  /** The person has installed already. */
  readonly linked?: boolean;
}

function row(major: 10 | 12, what: string, { project = '', cold = false, linked = false }: Kind): Habitat {
  const module = `${project === '' ? 'src/' : project}answer.mjs`;
  return {
    name: `pnpm ${major}: ${what}`,
    confined: true,
    lacks: () => {
      const { missing } = pnpmForTests(process.cwd(), major);
      return Promise.resolve(missing === undefined ? null : `no toolchain here: ${missing}`);
    },
    project: {
      module,
      test: ['sh', '-c', `cd ./${project} && pnpm install --offline --frozen-lockfile && node --test`],
    },
    ...(project === '' && { execution: { scratch: ['node_modules/'] } }),
    async make(place) {
      symlinkSync(pnpmForTests(process.cwd(), major).file ?? '', path.join(place.scratch, 'bin/pnpm'));
      const archive = packSeed(place.scratch);
      const registry = await serveSeed(archive);
      try {
        const dependencies = { seed: cold ? 'file:vendor/seed.tgz' : '1.0.0' };
        place.write(`${project}package.json`, JSON.stringify({ name: 'x', type: 'module', dependencies }));
        place.write(`${project}.npmrc`, `registry=${registry.url}\n`);
        place.write(module, `import { none } from 'seed';\n\nexport const answer = none + 41;\n`);
        place.write(`${project}answer.test.mjs`, nodeTest(`./${path.posix.relative(project, module)}`));
        place.write(`${project}vendor/seed.tgz`, '');
        writeFileSync(path.join(place.workspace, project, 'vendor/seed.tgz'), archive);
        await place.repository(`echo node_modules > .gitignore && cd ./${project} && CI=true pnpm install --silent`);
      } finally {
        await registry.close();
      }
      if (!linked) rmSync(path.join(place.workspace, project, 'node_modules'), { recursive: true });
      for (const name of cold ? ['.local', '.cache'] : [])
        rmSync(path.join(place.home, name), { recursive: true, force: true });
      writeFileSync(path.join(place.scratch, 'store-before'), await storeOf(place));
    },
    async afterwards(place) {
      const installed = place.read(`${project}node_modules/seed/0.js`);
      return {
        'the store in HOME has the same files, bytes and links':
          (await storeOf(place)) === readFileSync(path.join(place.scratch, 'store-before'), 'utf8'),
        'a package is written where it is a copy alone': installed.includes('changed') !== linked,
        'the project has no store of its own':
          !place.exists(`${project}.pnpm-store`) && !place.exists(`${project}node_modules/.pnpm-store`),
      };
    },
  };
}

const nodeTest = (module: string): string => `import assert from 'node:assert';
import { appendFileSync } from 'node:fs';
import { it } from 'node:test';
import { answer } from '${module}';

it('is right', () => assert.equal(answer, 42));
try {
  appendFileSync('node_modules/seed/0.js', '// changed\\n');
} catch {}
`;

/** Every file of HOME's store: kind, number of links, mode, when it was written, and its bytes. */
function storeOf(place: Place): Promise<string> {
  return place.sh(`cd "$HOME/.local/share/pnpm" 2>/dev/null || exit 0
    find . -printf '%p %y %n %m %T@\\n' | sort && find . -type f -exec sha256sum {} + | sort`);
}
