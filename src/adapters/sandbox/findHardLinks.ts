import type { HardLinks, PlaceFacts } from './facts';
import { decideHardLinks } from './hardLinks';
import { scanWritable } from './linkScan';
import { layOut } from './mounts';

/** The hard links in everything that a layout makes writable, which lead out of it. */
export async function findHardLinks(facts: PlaceFacts): Promise<HardLinks> {
  return decideHardLinks(await scanWritable(layOut(facts).mounts));
}
