import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  nodeOutside,
  openSupervisorCopy,
  type SupervisorFile,
  programsFolder,
} from '../../../src/adapters/user/programCopy';
import { liesIn, searchOutside } from '../../../src/adapters/files/inside';
import { launchers, writeTerminalLauncher } from '../../../src/adapters/user/terminalLauncher';
import { openUserStateFolder, userStateFolder, type Surroundings } from '../../../src/adapters/user/folder';
import { machinePath } from '../../support/machine';
import { removeScratch, scratch } from '../scratch';

const around = (
  platform: NodeJS.Platform,
  environment: Record<string, string>,
  home = platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
): Surroundings => ({ platform, environment, home: () => home });

describe('the user’s state folder', function () {
  afterEach(removeScratch);

  it('lies where each system keeps such data, or where MISSION_CONTROL_HOME says', () => {
    const places = [
      userStateFolder(around('linux', {})),
      userStateFolder(around('linux', { XDG_STATE_HOME: '/xdg' })),
      userStateFolder(around('linux', { XDG_STATE_HOME: 'relative' })),
      userStateFolder(around('darwin', { XDG_STATE_HOME: '/xdg' })),
      userStateFolder(around('win32', {})),
      userStateFolder(around('win32', { LOCALAPPDATA: 'D:\\Local' })),
      userStateFolder(around('linux', { MISSION_CONTROL_HOME: '/elsewhere', XDG_STATE_HOME: '/xdg' })),
    ];
    assert.deepEqual(
      places.map((place) => place.ok && place.value),
      [
        '/home/ada/.local/state/mission-control',
        '/xdg/mission-control',
        '/home/ada/.local/state/mission-control',
        '/home/ada/Library/Application Support/mission-control',
        'C:\\Users\\ada\\AppData\\Local\\mission-control',
        'D:\\Local\\mission-control',
        '/elsewhere',
      ],
    );
    for (const named of ['relative', './x']) {
      const refused = userStateFolder(around('linux', { MISSION_CONTROL_HOME: named }));
      assert.ok(!refused.ok && refused.refusal.code === 'STATE_FOLDER_UNAVAILABLE');
    }
    const homeless = userStateFolder({ ...around('linux', {}), home: () => assert.fail('no home') });
    assert.ok(!homeless.ok && homeless.refusal.code === 'STATE_FOLDER_UNAVAILABLE');
  });

  it('is private to this user', async () => {
    const folder = path.join(await scratch(), 'a', 'b');
    const opened = await openUserStateFolder(around('linux', { MISSION_CONTROL_HOME: folder }));
    assert.deepEqual(opened, { ok: true, value: folder });
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('is refused with a code where no folder can be made, without a wait', async () => {
    for (const folder of ['/proc/mission-control/state', '/dev/null/state']) {
      const around = {
        environment: { MISSION_CONTROL_HOME: folder },
        platform: process.platform,
        home: () => '/nowhere',
      };
      const opened = await openUserStateFolder(around);
      assert.equal(opened.ok ? opened.value : opened.refusal.code, 'STATE_FOLDER_UNAVAILABLE');
    }
  });

  it('holds the supervisor that is started: put back when it was changed, replaced or removed', async () => {
    const state = await scratch();
    const copy = await supervisor(state);
    const file = await copy();
    const bytes = await readFile(file);
    const spoilers: readonly (() => Promise<unknown>)[] = [
      () => rm(file),
      () => chmod(file, 0o600).then(() => writeFile(file, 'planted')),
      () => rm(file).then(() => symlink(path.resolve('dist/supervisor.cjs'), file)),
    ];
    for (const spoil of spoilers) {
      await spoil();
      assert.equal(await copy(), file);
      assert.ok((await readFile(file)).equals(bytes));
    }
  });

  it('loses old programs that no process names, and no others', async () => {
    const state = await scratch();
    const folder = programsFolder(state);
    await mkdir(folder);
    const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    const made = { 'supervisor-0.0.1-old.cjs': 31, 'supervisor-0.0.2-young.cjs': 29, 'supervisor-0.0.3-used.cjs': 90 };
    for (const [name, days] of Object.entries(made)) {
      await writeFile(path.join(folder, name), 'setInterval(() => {}, 1000);');
      await utimes(path.join(folder, name), ago(days), ago(days));
    }
    const using = spawn(process.execPath, [path.join(folder, 'supervisor-0.0.3-used.cjs')], { stdio: 'ignore' });
    try {
      await new Promise((resolve) => using.once('spawn', resolve));
      const current = path.basename(await (await supervisor(state))());
      await utimes(path.join(folder, current), ago(99), ago(99)); // needed again: young again
      await supervisor(state);
      assert.deepEqual(
        (await readdir(folder)).sort(),
        [current, 'supervisor-0.0.2-young.cjs', 'supervisor-0.0.3-used.cjs'].sort(),
      );
    } finally {
      using.kill('SIGKILL');
    }
  });

  it('holds the Node that runs our programs where it would lie in the workspace', async () => {
    const folder = await scratch();
    const state = path.join(folder, 'state');
    const workspace = path.join(folder, 'work');
    const inside = path.join(workspace, 'node_modules/node/bin/node');
    await mkdir(path.dirname(inside), { recursive: true });
    await copyFile(process.execPath, inside);
    const elsewhere = await nodeOutside(process.execPath, workspace, state, false);
    assert.equal(elsewhere.ok && (await elsewhere.value()), process.execPath);

    const gone = path.join(folder, 'removed');
    await copyFile(process.execPath, gone);
    for (const [electron, step] of [
      [false, /removed, which runs this mission, is gone, .* retry the task under the Node /],
      [true, /removed, which runs this mission, is gone, .* Reload the window, then retry the task\.$/],
    ] as const) {
      const outside = await nodeOutside(gone, workspace, state, electron);
      if (!outside.ok) assert.fail(outside.refusal.reason);
      if (!electron) {
        assert.equal(await outside.value(), gone);
        await rm(gone);
      }
      await assert.rejects(outside.value(), step);
    }

    const found = await nodeOutside(inside, workspace, state, false);
    if (!found.ok) assert.fail(found.refusal.reason);
    await writeFile(inside, 'planted');
    const copy = await found.value();
    assert.equal(path.dirname(copy), programsFolder(state));
    assert.ok((await readFile(copy)).equals(await readFile(process.execPath)));
    await rm(copy);
    await writeFile(copy, 'planted');
    await assert.rejects(found.value(), /PROGRAM_CHANGED/);
  });

  async function supervisor(state: string): Promise<SupervisorFile> {
    const installed = { supervisorFile: path.resolve('dist/supervisor.cjs'), toolVersion: '1.2.3' };
    const opened = await openSupervisorCopy(installed, state);
    return opened.ok ? opened.value : assert.fail(opened.refusal.reason);
  }
});

describe('the mission command of terminals', () => {
  afterEach(removeScratch);

  it('starts what the editor runs on, whatever is in its path, passes arguments and code, and moves with an update', async () => {
    const folder = await scratch();
    const odd = path.join(folder, 'it\'s a $HOME `x` "folder"');
    await mkdir(odd);
    const around = { MISSION_CONTROL_HOME: path.join(folder, 'state'), HOME: folder };
    const run = async (version: string) => {
      const cliFile = path.join(odd, `cli-${version}.js`);
      await writeFile(cliFile, `console.log('${version}', ...process.argv.slice(2)); process.exit(3);`);
      const node = path.join(odd, 'node');
      await rm(node, { force: true });
      await symlink(process.execPath, node);
      const before = process.env['MISSION_CONTROL_HOME'];
      process.env['MISSION_CONTROL_HOME'] = around.MISSION_CONTROL_HOME;
      try {
        const written = await writeTerminalLauncher({ execPath: node, electron: false, cliFile });
        if (!written.ok) assert.fail(written.refusal.reason);
        const { status, stdout } = spawnSync('mission', ['a b', '$x', '*'], {
          env: { ...around, PATH: `${machinePath()}:${written.value}` },
          encoding: 'utf8',
        });
        assert.deepEqual([status, stdout], [3, `${version} a b $x *\n`]);
        return { folder: written.value, cliFile };
      } finally {
        process.env['MISSION_CONTROL_HOME'] = before;
      }
    };
    const first = await run('1');
    const second = await run('2');
    assert.equal(second.folder, first.folder);
    assert.deepEqual(await readdir(first.folder), ['mission']);
    await rm(second.cliFile);
    const gone = spawnSync(path.join(first.folder, 'mission'), { encoding: 'utf8' });
    assert.deepEqual([gone.status, gone.stdout], [4, '']);
    assert.match(gone.stderr, /open a window with Mission Control once/);
  });

  it('is a batch file as well on Windows, where a percent sign and a space are part of a path', () => {
    const files = launchers({ execPath: 'C:\\100% me\\Code.exe', electron: true, cliFile: 'C:\\e\\cli.js' }, 'win32');
    assert.deepEqual(Object.keys(files), ['mission', 'mission.cmd']);
    assert.match(files['mission.cmd'] ?? '', /set ELECTRON_RUN_AS_NODE=1\r\n/);
    assert.match(files['mission.cmd'] ?? '', /^"C:\\100%% me\\Code\.exe" "C:\\e\\cli\.js" %\*\r$/m);
    assert.match(files['mission'] ?? '', /^node='C:\/100% me\/Code\.exe'$/m);
  });
});

describe('a search path outside the workspace', () => {
  afterEach(removeScratch);

  it('leaves out what lies in a folder, also behind a link, and what is not absolute', async () => {
    const folder = await scratch();
    await mkdir(path.join(folder, 'work/node_modules/.bin'), { recursive: true });
    await symlink(path.join(folder, 'work'), path.join(folder, 'link'));
    const entries = ['link/node_modules/.bin', 'work/not-there-yet', 'work', 'work-2', '..work'];
    const kept = ['work-2', '..work'].map((name) => path.join(folder, name));
    const PATH = [...entries.map((name) => path.join(folder, name)), 'node_modules/.bin', '', '/usr/bin'].join(':');
    const outside = searchOutside({ PATH, HOME: folder }, [path.join(folder, 'work')]);
    assert.deepEqual(outside, { PATH: [...kept, '/usr/bin'].join(':'), HOME: folder });
    assert.equal(liesIn(path.join(folder, 'work'), [path.join(folder, 'link')]), true);
    assert.equal(liesIn(folder, [path.join(folder, 'link')]), false);
  });
});
