/** Types of scripts/generators.mjs, for the tests of it. */
export interface Sources {
  readonly root: string;
}
export function readSources(root: string): Promise<Sources>;
export function differences(sources: Sources, out: string): Promise<readonly string[]>;
export function writeGenerated(sources: Sources, out: string): Promise<number>;
