import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A home of its own for every test process, so that no test reads or writes that of the person who runs it. Loaded by
 * mocha in every run (.mocharc.json), before any test file.
 */
const home = mkdtempSync(path.join(os.tmpdir(), 'mission-home-'));
process.env['HOME'] = home;
process.env['USERPROFILE'] = home;
process.env['MISSION_CONTROL_HOME'] = path.join(home, 'mission-control');
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
