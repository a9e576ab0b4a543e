// The last commit on which the whole quick tier passed on a clean tree; the runner writes it down.
//
//   npm run green    says which one that is, and how far HEAD is from it
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'node_modules/.cache/green');

/** @returns {{ commit: string | null, clean: boolean }} */
export function stateOfCheckout() {
  const commit = git('rev-parse', 'HEAD');
  return { commit, clean: commit !== null && git('status', '--porcelain') === '' };
}

/** Records the commit, unless the tree had changes before the run or has others now. */
export function rememberGreen(before, passed) {
  const now = stateOfCheckout();
  if (!before.clean || !now.clean || now.commit !== before.commit) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${now.commit}\n${passed} passed, ${new Date().toISOString()}\n`);
}

if (process.argv[1] === import.meta.filename) say();

function say() {
  const { commit, clean } = stateOfCheckout();
  const last = lastGreen();
  if (last === null) return console.log('No commit is known to be green here: run `npm test` on a clean tree.');
  const [id, when] = last;
  const behind = git('rev-list', '--count', `${id}..HEAD`);
  const place =
    id === commit
      ? 'that is HEAD'
      : behind === null
        ? 'HEAD does not come from it'
        : `HEAD is ${behind} ${behind === '1' ? 'commit' : 'commits'} further`;
  console.log(`${id} was green (${when}); ${place}${clean ? '' : ', and the tree has changes'}.`);
}

function lastGreen() {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
