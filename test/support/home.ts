import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { searchAsBedsDo } from './machine';

/**
 * A world of its own for every test process: a home, so that no test reads or writes that of the person who runs it, and
 * nothing of what that person has set for the language, for git and for new files. Loaded by mocha in every run
 * (.mocharc.json), before any test file.
 */
const home = mkdtempSync(path.join(os.tmpdir(), 'mission-home-'));
for (const name of Object.keys(process.env))
  if (/^(LC_|GIT_|XDG_)|^LANGUAGE$/.test(name)) Reflect.deleteProperty(process.env, name);
Object.assign(process.env, {
  HOME: home,
  USERPROFILE: home,
  MISSION_CONTROL_HOME: path.join(home, 'mission-control'),
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
});
process.umask(0o022);
searchAsBedsDo();
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
