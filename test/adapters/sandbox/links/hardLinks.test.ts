import assert from 'node:assert/strict';
import path from 'node:path';
import { dice } from '../../../support/dice';
import {
  decideHardLinks,
  type LinkedFile,
  type LinkedPlace,
  type Scan,
  type ScannedFolder,
} from '../../../../src/adapters/sandbox/links/hardLinks';

/** Each file by its place and its names: `inside` of them are writable, and it has `nlink`. */
interface Laid {
  readonly linked?: readonly (readonly [at: string, nlink: number])[];
  /** Files with one name. */
  readonly own?: readonly string[];
  readonly roots?: readonly string[];
}

describe('which hard links a sandbox keeps read-only', () => {
  it('none that has all its names where the launch may write', () => {
    const both: LinkedFile = { nlink: 2, names: new Set(['1/a', '1/b']), places: [alone('/w/a'), alone('/w/b')] };
    assert.deepEqual(decideHardLinks({ ...scanOf({}), files: [both] }), held([]));
  });

  it('each that has a name elsewhere, by all its names', () => {
    const three: LinkedFile = { nlink: 3, names: new Set(['1/a', '1/b']), places: [alone('/w/a'), alone('/w/b')] };
    assert.deepEqual(decideHardLinks({ ...scanOf({}), files: [three] }), held(['/w/a', '/w/b']));
  });

  it('one name that is seen at two places counts once', () => {
    const seenTwice: LinkedFile = { nlink: 2, names: new Set(['1/a']), places: [alone('/w/a'), alone('/mirror/a')] };
    assert.deepEqual(decideHardLinks({ ...scanOf({}), files: [seenTwice] }), held(['/w/a', '/mirror/a']));
  });

  it('300 single files, and their folder stays open', () => {
    const answer = decideHardLinks(scanOf({ linked: many(300, (n) => `/w/lib/f${n}`) }));
    assert.ok(answer.kind === 'held');
    assert.equal(answer.places.length, 300);
  });

  it('more than 300: the highest folder in which every file leads out', () => {
    const linked = many(301, (n) => `/w/lib/deep${n % 7}/f${n}`);
    assert.deepEqual(decideHardLinks(scanOf({ linked, own: ['/w/mine'] })), held(['/w/lib']));
  });

  it('never a writable place itself', () => {
    const linked = many(301, (n) => `/w/f${n}`);
    assert.deepEqual(decideHardLinks(scanOf({ linked })), { kind: 'too_many', files: 301, example: '/w/f0' });
  });

  it('as pnpm lays them: its folder of packages, and what is beside it stays open', () => {
    const packages = many(400, (n) => `/w/node_modules/.pnpm/p${n}/node_modules/p${n}/index.js`);
    const shims = many(400, (n) => `/w/node_modules/.pnpm/p${n}/node_modules/.bin/p${n}`).map(([at]) => at);
    const own = ['/w/node_modules/.modules.yaml', '/w/node_modules/.cache/x', '/w/src/a.ts', ...shims.slice(0, 100)];
    assert.deepEqual(
      decideHardLinks(scanOf({ linked: packages, own: [...own, '/w/node_modules/.pnpm/lock.yaml'] })),
      held(['/w/node_modules/.pnpm']),
    );
  });

  it('as Bun and uv lay them: as few packages as leave room, or all', () => {
    const linked = many(400, (n) => `/w/node_modules/p${n}/index.js`);
    const own = ['/w/node_modules/.cache/x'];
    assert.deepEqual(decideHardLinks(scanOf({ linked, own })), held(['/w/node_modules']));
    const scoped = [
      ...many(200, (n) => `/w/node_modules/p${n}/i.js`),
      ...many(200, (n) => `/w/node_modules/@s/p${n}/i.js`),
    ];
    const answer = decideHardLinks(scanOf({ linked: scoped, own: [...own, '/w/node_modules/@s/own.txt'] }));
    assert.ok(answer.kind === 'held');
    assert.equal(answer.places.length, 201);
    assert.ok(answer.places.some(({ at }) => at === '/w/node_modules/@s'));
  });

  it('no folder of which most files are its own', () => {
    const linked = many(301, (n) => `/w/lib/d${n}/f`);
    const own = many(400, (n) => `/w/lib/d${n % 301}/own${n}`).map(([at]) => at);
    assert.deepEqual(decideHardLinks(scanOf({ linked, own })), {
      kind: 'too_many',
      files: 301,
      example: '/w/lib/d0/f',
    });
  });

  it('a folder of another writable place in it is judged by itself', () => {
    const linked = many(301, (n) => `/w/lib/inner/f${n}`);
    const answer = decideHardLinks(scanOf({ linked, own: ['/w/lib/x'], roots: ['/w', '/w/lib/inner'] }));
    assert.equal(answer.kind, 'too_many');
  });

  it('folders that cannot be read, beside the others', () => {
    const scan = {
      ...scanOf({ linked: many(2, (n) => `/w/f${n}`) }),
      unreadable: [place('/w/closed')],
      complete: false,
    };
    assert.deepEqual(decideHardLinks(scan), { ...held(['/w/f0', '/w/f1', '/w/closed']), complete: false });
  });

  it('100,000 files of 10,000 packages, in one step that ends', () => {
    const linked = many(100_000, (n) => `/w/node_modules/.pnpm/p${n % 10_000}/node_modules/p/lib/f${n}`);
    assert.deepEqual(decideHardLinks(scanOf({ linked, own: ['/w/a'] })), held(['/w/node_modules']));
  });

  it('any tree at random: every file that leads out is held, and no folder of own files alone', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const drawn = dice(seed);
      const file = (n: number): string =>
        `/w/${Array.from({ length: 1 + drawn.below(4) }, () => `d${drawn.below(6)}`).join('/')}/f${n}`;
      const linked = many(200 + drawn.below(400), file);
      const own = many(drawn.below(400), (n) => `${file(n)}.own`).map(([at]) => at);
      const answer = decideHardLinks(scanOf({ linked, own }));
      if (answer.kind === 'too_many') continue;
      const places = answer.places.map(({ at }) => at);
      assert.ok(places.length <= 300, `${places.length}`);
      const isHeld = (at: string): boolean => places.some((one) => at === one || at.startsWith(`${one}/`));
      for (const [at] of linked) assert.ok(isHeld(at), `seed ${seed}: ${at}`);
      for (const one of places)
        assert.ok(
          linked.some(([at]) => at === one || at.startsWith(`${one}/`)),
          one,
        );
      assert.ok(!places.includes('/w'));
    }
  });
});

function many(count: number, name: (n: number) => string): readonly (readonly [string, number])[] {
  return Array.from({ length: count }, (_, n) => [name(n), 2] as const);
}

function place(at: string): { readonly at: string; readonly from: string } {
  return { at, from: at };
}

function alone(at: string): LinkedPlace {
  return { ...place(at), folder: null };
}

function held(places: readonly string[]): ReturnType<typeof decideHardLinks> {
  return { kind: 'held', places: places.map(place), complete: true };
}

function scanOf({ linked = [], own = [], roots = ['/w'] }: Laid): Scan {
  const folders = new Map<string, ScannedFolder & { files: number }>();
  const folderAt = (at: string): ScannedFolder & { files: number } => {
    const known = folders.get(at);
    if (known !== undefined) return known;
    const made = { ...place(at), parent: roots.includes(at) ? null : folderAt(path.posix.dirname(at)), files: 0 };
    folders.set(at, made);
    return made;
  };
  for (const root of roots) folderAt(root);
  for (const at of own) folderAt(path.posix.dirname(at)).files += 1;
  const files = linked.map(([at, nlink]) => {
    const folder = folderAt(path.posix.dirname(at));
    folder.files += 1;
    return { nlink, names: new Set([at]), places: [{ ...place(at), folder }] };
  });
  return { files, folders: [...folders.values()], unreadable: [], complete: true };
}
