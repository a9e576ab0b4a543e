import type { Plugin } from 'esbuild';

export const builtValidators: Plugin;
