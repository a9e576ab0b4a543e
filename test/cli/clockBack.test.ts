import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

const hour = 3_600_000;

/** The clock of the machine is set between two owners of a mission: `dist/cli.js` as real processes. */
describe('a clock that is set', function () {
  this.timeout(180_000);
  let bed: CliBed;
  let preload: string;
  beforeEach(() => {
    bed = new CliBed();
    preload = path.join(bed.scratch, 'clock.cjs');
    writeFileSync(preload, setClock);
  });
  afterEach(() => bed.dispose());

  /** `mission` on a machine whose clock differs by so much from the one of the file system. */
  const at = (shift: number, ...args: readonly string[]): Promise<Ended> =>
    bed.spawn(process.execPath, [cliFile, ...args, '--json'], {
      env: { ...bed.env, NODE_OPTIONS: `--require ${preload}`, CLOCK_SHIFT: String(shift) },
    }).ended;

  for (const [what, shift] of [
    ['an hour back', -hour],
    ['a day forward', 24 * hour],
  ] as const)
    it(`${what} between two owners: the mission goes on, its handoff is resumed, and its evidence verifies`, async () => {
      const blocks = (name: string, then: string): string =>
        `${start}if (!fs.existsSync('tools/${name}')) process.exit(7);\n${then}`;
      const plan = bed.plan('set', [
        { script: `${start}fs.writeFileSync('docs/out/a.txt', 'one');` },
        { script: blocks('second', `fs.writeFileSync('docs/out/a.txt', 'two');`), depends_on: ['T1'] },
        { script: blocks('third', `fs.writeFileSync('docs/out/b.txt', 'b');`), depends_on: ['T2'] },
      ]);
      bed.git('add', '.');
      bed.git('commit', '-q', '-m', 'plan');
      const there = path.join(bed.scratch, 'there');
      const first = await bed.mission('run', plan);
      assert.equal(first.code, 3, first.stdout + first.stderr);
      bed.write('tools/second', '');
      bed.git('add', '.');
      bed.git('commit', '-q', '-m', 'second');
      const second = await at(shift, 'retry', 'set', 'T2', ...decision);
      assert.deepEqual(
        second.json.mission.tasks.map(({ status }) => status),
        ['done', 'done', 'blocked'],
        second.stdout + second.stderr,
      );
      assert.match((await at(shift, 'status', 'set')).stdout, /T3/);
      const out = path.join(bed.scratch, 'out');
      const exported = await at(shift, 'handoff', 'export', 'set', '--out', out, ...decision);
      assert.equal(exported.code, 0, exported.stdout + exported.stderr);
      cpSync(bed.root, there, { recursive: true, filter: (name) => !name.endsWith('.mission-control') });
      const taken = await bed.mission('handoff', 'resume', out, ...decision, '--workspace', there);
      assert.equal(taken.code, 3, taken.stdout + taken.stderr);
      bed.write('tools/third', '');
      const third = await bed.mission('retry', 'set', 'T3', ...decision);
      assert.deepEqual([third.code, third.json.mission.status], [0, 'completed'], third.stdout + third.stderr);
      for (const [command, shifted] of [
        [['evidence', 'verify', 'set'], 0],
        [['evidence', 'verify', 'set'], shift],
        [['journal', 'verify', 'set'], shift],
        [['audit', 'verify', first.json.mission_id], shift],
      ] as const) {
        const { code, stdout } = await at(shifted, ...command);
        assert.equal(code, 0, stdout);
      }
    });
});

const setClock = `
const shift = Number(process.env.CLOCK_SHIFT);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) { args.length === 0 ? super(Real.now() + shift) : super(...args); }
  static now() { return Real.now() + shift; }
};
// A supervisor is given an environment of its own.
const programs = require('node:child_process');
const { spawn } = programs;
const { NODE_OPTIONS, CLOCK_SHIFT } = process.env;
programs.spawn = (file, args, options) =>
  spawn(file, args, { ...options, env: { ...(options?.env ?? process.env), NODE_OPTIONS, CLOCK_SHIFT } });
require('node:module').syncBuiltinESMExports();`;
