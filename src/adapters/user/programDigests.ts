/**
 * SHA-256 (hex) of the programs built with this one; scripts/build.mjs writes them here. They detect a file that was
 * changed since, for example by a worker in `node_modules`.
 */
export const supervisorDigest: string = '';
export const mcpDigest: string = '';
