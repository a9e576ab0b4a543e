import { statSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import path from 'node:path';
import { userStateFolder } from '../adapters/user/folder';

/** Loads `dist/mission.js` with V8's compiled code of the last time, because compiling takes half of a start. */
const state = userStateFolder();
/** Node 20 has none. */
const enable = enableCompileCache as typeof enableCompileCache | undefined;
if (state.ok && isOwn(state.value)) enable?.(path.join(state.value, 'compiled'));
(createRequire(__filename)('./mission.js') as typeof import('./main')).start();

/** False: the folder is missing, and a start makes none, or another user could write what is executed. */
function isOwn(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
