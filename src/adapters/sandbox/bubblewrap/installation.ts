import path from 'node:path';
import { statsOf } from '../../files/regular';
import { holdsOthers, mayUncover, type HiddenPlaces } from '../places/hidden';

/**
 * The folder that a program needs around it, both resolved; null: it needs none, or the folder holds more than the
 * installation. `/tmp/a/bin` and `/tmp/a/bin/tool` bring `/tmp/a` if it has a `lib` or the like.
 * `/tmp/a/node_modules/b/c.js` brings `/tmp/a/node_modules`. A file in a package brings the package.
 */
export function installationOf(at: string, kind: 'file' | 'folder', places: HiddenPlaces): string | null {
  const folder = kind === 'folder' ? at : path.posix.dirname(at);
  const found = byName(folder) ?? (kind === 'file' ? packageAround(folder, places) : null);
  return found !== null && mayUncover(found, places) && deepEnough(found) && !holdsOthers(found, places) ? found : null;
}

function byName(folder: string): string | null {
  const parts = folder.split('/');
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return parts.slice(0, packages + 1).join('/');
  const programs = parts.findLastIndex((part) => ['bin', 'sbin', '.bin'].includes(part));
  const around = parts.slice(0, programs).join('/');
  return programs > 0 && holdsAny(around, besidePrograms) ? around : null;
}

/** Names beside `bin` that show an installation, and not a folder for all kinds of things. */
const besidePrograms = ['lib', 'lib64', 'libexec', 'share', 'pkg', 'pyvenv.cfg', 'package.json'];
const ofPackages = ['package.json', 'pyproject.toml', 'pyvenv.cfg'];

function holdsAny(folder: string, names: readonly string[]): boolean {
  return names.some((name) => statsOf(path.posix.join(folder, name)) !== null);
}

/** The nearest folder around that declares itself a package. */
function packageAround(folder: string, places: HiddenPlaces): string | null {
  for (let above = folder; mayUncover(above, places); above = path.posix.dirname(above))
    if (holdsAny(above, ofPackages)) return above;
  return null;
}

/** False for folders below /run, because each of them holds everything of a user or a service. */
function deepEnough(at: string): boolean {
  const parts = at.split('/');
  return parts.length > 2 && !(parts[1] === 'run' && parts.length < 5);
}
