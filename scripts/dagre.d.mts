import type { Plugin } from 'esbuild';

/** Gives esbuild dagre's sources in place of its bundle, without what the page does not use. */
export const dagreSources: Plugin;
