import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { machineNode } from '../support/machine';
import { usersOfTier } from '../support/users';
import { decision, start } from './cliBed';
import { ConfinedBed } from './confinedBed';
import { planted } from './plantedFiles';

const all = agentNames.flatMap((name) => planted[name].workspace);

/** What a later launch would run or obey, planted by a worker. */
for (const user of usersOfTier) {
  describe(`a mission whose worker plants settings, hooks and plugins, as ${user}`, function () {
    this.timeout(120_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    for (const name of agentNames)
      it(`confined: no later launch of ${name} sees any of it, and none is left`, async () => {
        const places = [
          ...planted[name].home.map((file) => path.join(bed.scratch, file)),
          ...all.map((file) => bed.at(file)),
        ];
        // One that is there is not changed; the others are made anew.
        const there = places[0] ?? '';
        // Empty, it is valid in every format.
        bed.write(path.relative(bed.root, there), '\n');
        const program = path.join(bed.scratch, 'agent');
        writeFileSync(program, plants(places), { mode: 0o755 });
        const launch = async (plan: string): Promise<Seen> => {
          const execution = { confinement: 'required', delegation: { claude_code: true, constraints: [] } };
          const file = bed.plan(plan, [{ worker: name, prompt: 'x' }], execution);
          // It ends without a result, so its task blocks.
          const run = await bed.mission('run', file, '--cli', `${name}=${program}`);
          assert.ok(bed.exists('docs/out/seen.json'), run.stdout + run.stderr);
          await bed.mission('cancel', plan, ...decision);
          return JSON.parse(bed.read('docs/out/seen.json')) as Seen;
        };
        const first = await launch('first');
        assert.deepEqual(first.seen, []);
        assert.equal(first.told[there] === 'ARRIVED', false, first.told[there]);
        assert.deepEqual((await launch('later')).seen, []);
        for (const file of places) assert.ok(!holds(file), `${file} is left`);
        assert.equal(readFileSync(there, 'utf8'), '\n');
      });

    it('observed: what is planted in the workspace is recorded, each as a doubt', async () => {
      const places = all.map((file) => bed.at(file));
      const plan = bed.plan('observed', [{ script: `${start}${plantAll(places)}` }]);
      const run = await bed.mission('run', plan, '--confinement', 'off');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      assert.equal(run.json.code, 'CONCURRENCY_CONFLICT');
      await bed.mission('cancel', 'observed', ...decision);
      const changes = bed.evidence('observed', 'T1').attempts?.[0]?.changes ?? [];
      const doubts = changes.flatMap(({ path: file, doubt }) => (doubt === undefined ? [] : [file]));
      assert.deepEqual(doubts.toSorted(), all.toSorted());
    });
  });
}

interface Seen {
  /** Planted files that this launch found at its start. */
  readonly seen: readonly string[];
  /** What became of each attempt to plant one. */
  readonly told: Readonly<Record<string, string>>;
}

const mark = 'PLANTED BY A WORKER';

function holds(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(mark);
}

/** Text of a program that stands for a CLI. */
function plants(places: readonly string[]): string {
  return `#!${machineNode()}
const fs = require('node:fs');
if (process.argv.includes('--version')) console.log('1.0.0');
else {
  fs.readFileSync(0);
  ${plantAll(places)}
}
`;
}

/** Statements that look for what was planted, plant it, and tell both in docs/out/seen.json. */
function plantAll(places: readonly string[]): string {
  return `
const places = ${JSON.stringify(places)};
const found = (file) => { try { return fs.readFileSync(file, 'utf8').includes(${JSON.stringify(mark)}); } catch { return false; } };
const seen = places.filter(found);
const told = {};
for (const file of places) try {
  fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  fs.writeFileSync(file, ${JSON.stringify(mark)});
  told[file] = 'ARRIVED';
} catch (error) { told[file] = error.code; }
fs.mkdirSync(${JSON.stringify('docs/out')}, { recursive: true });
fs.writeFileSync('docs/out/seen.json', JSON.stringify({ seen, told }));`;
}
