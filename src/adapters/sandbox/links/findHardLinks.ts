import type { HardLinks, PlaceFacts } from '../facts/facts';
import { decideHardLinks } from './hardLinks';
import { scanWritable } from './linkScan';
import { layOut } from '../bubblewrap/mounts';

/** Finds the hard links that lead out of the places that a layout makes writable. */
export async function findHardLinks(facts: PlaceFacts): Promise<HardLinks> {
  return decideHardLinks(await scanWritable(layOut(facts).mounts));
}
