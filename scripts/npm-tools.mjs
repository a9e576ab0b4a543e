// Packages for tests, installed exactly as the lock file of their folder in test/tools says. The product holds nothing
// of them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs once, beside its place, because other processes may do the same at the same time.
 *
 * @param {string} tools the folder with package.json and package-lock.json; node_modules is made there
 * @param {(modules: string) => string | null} lacks looks at what npm installed, and answers what is missing, or null
 * @returns {string | null} what went wrong, or null
 */
export function installedOnce(tools, lacks = () => null) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(tools, 'package-lock.json')))
    .digest('hex');
  const modules = path.join(tools, 'node_modules');
  if (stampOf(modules) === lock) return null;
  const folder = mkdtempSync(`${tools}-`);
  const making = `${folder}.lock`;
  renameSync(folder, making);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(path.join(tools, name), path.join(making, name));
    // Without scripts, because an install must run no code of a package.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr, error } = spawnSync('npm', args, { cwd: making, encoding: 'utf8', timeout: 300_000 });
    if (error !== undefined) return `npm: ${error.message}`;
    if (status !== 0) return `npm ci ended with ${status}: ${stderr.trim().slice(-300)}`;
    const made = path.join(making, 'node_modules');
    const missing = lacks(made);
    if (missing !== null) return missing;
    writeFileSync(path.join(made, '.installed'), lock);
    if (stampOf(modules) === lock) return null;
    rmSync(modules, { recursive: true, force: true });
    renameSync(made, modules);
    return null;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** What is installed, as a digest of the lock file. */
function stampOf(modules) {
  const stamp = path.join(modules, '.installed');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}
