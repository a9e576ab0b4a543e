import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * The floors inside the rooms (scripts/floors.cjs), on a tree in which every place of a room imports every other one:
 * an import is an error unless it goes down.
 */
const root = process.cwd();
const config = path.join(root, '.dependency-cruiser.cjs');
const bin = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

type Place = string | { readonly file: string };
const floorsFile = path.join(root, 'scripts/floors.cjs');
const floors = createRequire(floorsFile)(floorsFile) as Readonly<Record<string, readonly (readonly Place[])[]>>;

/** Where a place has its one file in the tree, relative to the room, without `.ts`. */
function fileOf(place: Place): string {
  return typeof place === 'string' ? `${place}/some` : place.file;
}

async function violations(tree: string): Promise<string[]> {
  const args = [bin, '--config', config, '--output-type', 'json', 'src'];
  const run = promisify(execFile)(process.execPath, args, { cwd: tree, maxBuffer: 64 << 20 });
  const { stdout } = await run.catch((error: unknown) => {
    // The exit code is the number of errors; the document on stdout is complete anyway.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return { stdout: String(error.stdout) };
    throw error;
  });
  const found = JSON.parse(stdout) as {
    readonly summary: { readonly violations: readonly { rule: { name: string }; from: string; to: string }[] };
  };
  return found.summary.violations
    .filter(({ rule }) => rule.name.includes('-floors-'))
    .map(({ from, to }) => `${from} -> ${to}`)
    .sort();
}

describe('floors of the rooms', () => {
  let tree: string;
  let found: readonly string[];

  before(async () => {
    tree = mkdtempSync(path.join(tmpdir(), 'mission-floors-'));
    for (const [room, storeys] of Object.entries(floors)) {
      const places = storeys.flat();
      for (const place of places) {
        const file = path.join(tree, 'src', room, `${fileOf(place)}.ts`);
        mkdirSync(path.dirname(file), { recursive: true });
        const up = typeof place === 'string' ? '../' : './';
        const imports = places.filter((other) => other !== place).map((other) => `import '${up}${fileOf(other)}';\n`);
        writeFileSync(file, imports.join(''));
      }
    }
    found = await violations(tree);
  });

  after(() => {
    rmSync(tree, { recursive: true });
  });

  for (const [room, storeys] of Object.entries(floors)) {
    it(`${room}: an import that does not go down is an error, one that does is allowed`, () => {
      const expected = storeys.flatMap((storey, height) =>
        storey.flatMap((place) =>
          storeys
            .slice(height)
            .flat()
            .filter((other) => other !== place)
            .map((other) => `src/${room}/${fileOf(place)}.ts -> src/${room}/${fileOf(other)}.ts`),
        ),
      );
      assert.deepEqual(
        found.filter((line) => line.startsWith(`src/${room}/`)),
        expected.sort(),
      );
      assert.ok(expected.length > 0);
    });
  }
});
