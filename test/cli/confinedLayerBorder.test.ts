import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, renameSync } from 'node:fs';
import net from 'node:net';
import { usersOfTier } from '../support/users';
import { until } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** In each of them a worker and a person do the same: an approved folder, and one that the layer takes. */
const places = ['docs/out', 'src'] as const;

/** Each row of the guide's table of what does not pass between a layer and other programs, tried by both sides. */
for (const user of usersOfTier)
  describe(`between a layer and other programs, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nsrc/\n');
    });
    afterEach(() => bed.dispose());

    const run = (id: string, script: string, more: object = {}): string =>
      bed.plan(id, [{ command: ['node', '-e', script], ...more }], { confinement: 'required' });
    const start = `
      const fs = require('fs'), { spawnSync } = require('child_process');
      const tried = (act) => { try { act(); return 'works'; } catch (error) { return error.code; } };`;
    const facts = (): unknown => JSON.parse(bed.read('docs/out/facts'));

    it('pass locks, watches, sockets, fifos, saves and databases in approved folders alone', async () => {
      for (const place of places) {
        for (const name of ['lock', 'read', 'folder/x']) bed.write(`${place}/${name}`, 'old\n');
        execFileSync('mkfifo', ['-m', '666', bed.at(`${place}/fifo`)]);
      }
      const sqlite = `import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('create table if not exists t (x)'); c.execute('insert into t values (1)'); c.commit(); print(c.execute('select count(*) from t').fetchone()[0])`;
      for (const place of places) spawnSync('python3', ['-c', sqlite, bed.at(`${place}/db`)], { env: bed.env });
      const plan = run(
        'border',
        `${start}
        const found = {}, seen = [];
        for (const place of ${JSON.stringify(places)}) {
          fs.readFileSync(place + '/read');
          fs.watch(place, (_, name) => seen.push(place + '/' + name));
        }
        fs.writeFileSync('docs/out/ready', '');
        const wait = setInterval(async () => {
          if (!fs.existsSync(${JSON.stringify(bed.gateFile('go'))})) return;
          clearInterval(wait);
          for (const place of ${JSON.stringify(places)}) found[place] = {
            lock: spawnSync('flock', ['-n', place + '/lock', 'true']).status === 0 ? 'free' : 'held',
            watch: seen.includes(place + '/made') ? 'seen' : 'unseen',
            read: fs.readFileSync(place + '/read', 'utf8').trim(),
            fifo: tried(() => fs.closeSync(fs.openSync(place + '/fifo', fs.constants.O_WRONLY | fs.constants.O_NONBLOCK))),
            socket: await new Promise((resolve) => require('net').connect(place + '/socket')
              .on('connect', () => resolve('reached')).on('error', () => resolve('not reached'))),
            rows: String(spawnSync('python3', ['-c', ${JSON.stringify(sqlite)}, place + '/db']).stdout).trim(),
          };
          fs.writeFileSync('docs/out/facts', JSON.stringify(found));
          process.exit(0);
        }, 50);`,
        // A check that names a file relies on it.
        { verify: [['sh', '-c', 'cat s*/read | grep new']] },
      );
      const running = bed.start('run', plan);
      await until(() => bed.exists('docs/out/ready'));
      const held = places.map((place) => spawn('flock', [bed.at(`${place}/lock`), 'sleep', '60']));
      const readers = places.map((place) =>
        openSync(bed.at(`${place}/fifo`), constants.O_RDONLY | constants.O_NONBLOCK),
      );
      const servers = places.map((place) => net.createServer().listen(bed.at(`${place}/socket`)));
      try {
        await until(() =>
          places.every(
            (place) =>
              existsSync(bed.at(`${place}/socket`)) &&
              spawnSync('flock', ['-n', bed.at(`${place}/lock`), 'true']).status !== 0,
          ),
        );
        for (const place of places) {
          execFileSync('chmod', ['666', bed.at(`${place}/socket`)]);
          bed.write(`${place}/saved`, 'new\n');
          renameSync(bed.at(`${place}/saved`), bed.at(`${place}/read`));
          bed.write(`${place}/made`, 'made\n');
        }
        bed.open('go');
        const ended = await running.ended;
        assert.deepEqual(facts(), {
          'docs/out': { lock: 'held', watch: 'seen', read: 'new', fifo: 'works', socket: 'reached', rows: '2' },
          src: { lock: 'free', watch: 'unseen', read: 'old', fifo: 'ENXIO', socket: 'not reached', rows: '2' },
        });
        const rows = places.map((place) =>
          spawnSync('python3', ['-c', sqlite, bed.at(`${place}/db`)], { encoding: 'utf8' }).stdout.trim(),
        );
        assert.deepEqual(rows, ['3', '2']);
        // The check is a launch of its own, which sees the save.
        assert.equal(ended.code, 0, ended.stdout);
      } finally {
        for (const one of held) one.kill();
        for (const one of readers) closeSync(one);
        for (const one of servers) one.close();
      }
    });

    it('renames of folders, and from a folder for temporary files, are of two file systems', async () => {
      for (const place of places) bed.write(`${place}/folder/x`, 'x\n');
      const renames = `${start}
        const found = {};
        for (const place of ${JSON.stringify(places)}) {
          found[place] = tried(() => fs.renameSync(place + '/folder', place + '/renamed'));
          if (found[place] !== 'works') found.mv = spawnSync('mv', [place + '/folder', place + '/moved']).status;
        }
        for (const from of [process.env.TMPDIR, process.env.HOME]) {
          const made = tried(() => fs.writeFileSync(from + '/made', ''));
          found[from === process.env.HOME ? 'home' : 'tmp'] =
            made === 'works' ? tried(() => fs.renameSync(from + '/made', 'docs/out/made')) : made;
        }
        fs.writeFileSync('docs/out/facts', JSON.stringify(found));`;
      assert.equal((await bed.mission('run', run('renames', renames))).code, 0);
      assert.deepEqual(facts(), { 'docs/out': 'works', src: 'EXDEV', mv: 0, tmp: 'EXDEV', home: 'EROFS' });
    });

    it('mission doctor says whether a layer takes writes here, and why it does not', async function () {
      const said = async (): Promise<string> => JSON.stringify((await bed.mission('doctor')).json);
      assert.match(await said(), /through layers \(overlayfs\), and what they write outside their paths goes into one/);
      bed.keepLayersAway(this);
      assert.match(await said(), /mounted (?:is mounted in it|has another group)/);
    });
  });
