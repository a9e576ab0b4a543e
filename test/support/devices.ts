import { existsSync, lstatSync } from 'node:fs';
import type { Context } from 'mocha';
import { skipWithReason } from './skip';

/** Devices of this machine that no sandbox has by itself, at least so many; skips where it has fewer. */
export function hiddenDevices(context: Context, least: 1): readonly [string, ...string[]];
export function hiddenDevices(context: Context, least: 2): readonly [string, string, ...string[]];
export function hiddenDevices(context: Context, least: number): readonly string[] {
  const known = ['/dev/fuse', '/dev/kvm', '/dev/vsock', '/dev/hwrng', '/dev/userfaultfd', '/dev/loop-control'];
  const found = known.filter((at) => existsSync(at) && lstatSync(at).isCharacterDevice());
  return found.length >= least
    ? found
    : skipWithReason(context, `this machine has too few devices that a sandbox hides: ${found.join(', ') || 'none'}`);
}
