import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/**
 * What no sandbox can hold, because it is not there when the launch begins, or is a link: the worker makes it in an
 * approved folder, and observation reports it. Confined, what it makes elsewhere is not kept.
 */
for (const user of usersOfTier) {
  describe(`a mission whose worker makes what is forbidden and was not there, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    for (const confinement of ['required', 'off'] as const) {
      it(`reports each, and accuses the worker of each way out that it made in its own folder (confinement ${confinement})`, async () => {
        stage(bed);
        // So old that by its own times it has no known maker.
        await delay(2_500);
        const forbidden_paths = Object.values(forbidden);
        const plan = bed.plan('absent', [{ script: `${start}${attacks}`, forbidden_paths }]);
        const run = await bed.mission('run', plan, '--confinement', confinement);
        const told = JSON.parse(bed.read('docs/out/told.json')) as Record<string, string>;
        assert.equal(run.code, 1, run.stdout + run.stderr + JSON.stringify(told));
        assert.equal(run.json.code, 'SCOPE_VIOLATION');

        const changes = bed.evidence('absent', 'T1').attempts?.[0]?.changes ?? [];
        assert.equal(new Set(changes.map(({ path, kind }) => `${kind} ${path}`)).size, changes.length, 'each once');
        const violations = new Map(changes.map(({ path, violation, doubt }) => [path, violation ?? doubt]));
        for (const [name, answer] of Object.entries(told)) assert.equal(answer, 'ARRIVED', name);
        // Confined it was made in the layer, which is gone.
        assert.equal(lstatSync(bed.at('node_modules/a')).isSymbolicLink(), confinement === 'off');
        for (const [path, reason] of Object.entries(expected)) {
          if (confinement === 'required' && path.startsWith('node_modules')) continue;
          assert.match(violations.get(path) ?? 'not told', reason, path);
        }
        assert.deepEqual(
          changes.flatMap(({ path, attribution }) => (attribution === 'worker' ? [] : [path])),
          [...mayBeAnothers, ...(confinement === 'required' ? [] : ['node_modules/a'])],
          'what a person may have made as well',
        );
        assert.equal((await bed.mission('evidence', 'verify', 'absent')).code, 0);
      });
    }
  });
}

const forbidden = {
  absent: 'docs/out/absent.txt',
  belowLater: 'docs/out/later/deep/x.txt',
  behindLink: 'docs/out/alias/x.txt',
  ignored: 'node_modules/a/b',
};

const expected: Readonly<Record<string, RegExp>> = {
  'docs/out/absent.txt': /^lies in a forbidden path/,
  'docs/out/later': /^is a link on the way to docs\/out\/later\/deep\/x\.txt, a forbidden path/,
  'docs/out/alias': /^is a link on the way to docs\/out\/alias\/x\.txt, a forbidden path/,
  'node_modules/a': /^is a link on the way to node_modules\/a\/b, a forbidden path/,
  'docs/out/.git/HEAD': /^adds a repository, a branch or a tag, /,
  'docs/out/.git/config': /^changes the configuration of the repository/,
  'docs/out/plain/.git/x.txt': /^lies in \.git, which is reserved/,
  'docs/out/.mission-control/x.txt': /^lies in \.mission-control, which is reserved/,
};

/** A person edits a file there, and commits in a nested repository; its hooks and programs are the worker's. */
const mayBeAnothers = ['docs/out/.git/HEAD', 'docs/out/.git/config', 'docs/out/absent.txt'];

function stage(bed: ConfinedBed): void {
  bed.write('.gitignore', '.mission-control/\nnode_modules/\n');
  bed.write('node_modules/a/b/index.js', '1\n');
  bed.write('docs/out/real/x.txt', 'kept\n');
  symlinkSync('real', bed.at('docs/out/alias'));
  bed.write('docs/out/pkg/HEAD', 'ref: refs/heads/main\n');
  bed.write('docs/out/pkg/config', '[core]\n\tfsmonitor = /bin/false\n');
  bed.write('docs/out/pkg/program.js', '1\n');
  bed.write('docs/out/folder/x.txt', '1\n');
  mkdirSync(bed.at('docs/out/plain'));
}

/** Text of the worker's module: what became of each attack is in `docs/out/told.json`. */
const attacks = `
process.chdir('docs/out');
const tries = {
  'a file': () => fs.writeFileSync('absent.txt', 'x'),
  'a link above what is not there': () => {
    fs.mkdirSync('elsewhere/deep', { recursive: true });
    fs.writeFileSync('elsewhere/deep/x.txt', 'x');
    fs.symlinkSync('elsewhere', 'later');
  },
  'a link that leads elsewhere now': () => {
    fs.mkdirSync('other');
    fs.writeFileSync('other/x.txt', 'x');
    fs.unlinkSync('alias');
    fs.symlinkSync('other', 'alias');
  },
  'a link inside what git ignores': () => {
    fs.cpSync('../../node_modules/a', 'taken', { recursive: true });
    fs.rmSync('../../node_modules/a', { recursive: true });
    fs.symlinkSync('../docs/out/taken', '../../node_modules/a');
  },
  'a folder that becomes a repository': () => fs.renameSync('pkg', '.git'),
  'a folder that is named like one': () => fs.renameSync('folder', 'plain/.git'),
  'a state of its own': () => { fs.mkdirSync('.mission-control'); fs.writeFileSync('.mission-control/x.txt', 'x'); },
};
const told = {};
for (const [name, attack] of Object.entries(tries)) try { attack(); told[name] = 'ARRIVED'; } catch (error) { told[name] = error.code ?? String(error); }
fs.writeFileSync('told.json', JSON.stringify(told));
`;
