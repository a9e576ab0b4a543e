import type { Plugin } from 'esbuild';

export const parts: Readonly<Record<string, string>>;
export const apart: Plugin;
