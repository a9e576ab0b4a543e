import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { skipWithReason } from '../../support/skip';
import { needsReachableCheckout } from '../../support/unprivileged';

/** Root reads everything: as root, the test whose name contains `name` runs again in a process of the user `nobody`. */
export async function asNobody(context: Context, file: string, name: string, test: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return test();
  needsReachableCheckout(context);
  const become = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath];
  const mocha = path.resolve('node_modules/mocha/bin/mocha.js');
  const poison = './dist-test/support/poison.js';
  const args = [mocha, '--no-config', '--timeout', '60000', '-r', poison, '-f', name];
  const run = spawnSync('setpriv', [...become, ...args, `dist-test/adapters/workspace/${file}.test.js`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
  });
  if (run.error !== undefined) skipWithReason(context, 'setpriv is not there to become an unprivileged user');
  if (run.stderr.includes('EACCES')) skipWithReason(context, 'an unprivileged user cannot read this checkout');
  assert.match(run.stdout, /1 passing/, run.stdout + run.stderr);
}
