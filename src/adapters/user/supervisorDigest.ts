/**
 * SHA-256 (hex) of the supervisor built with this program; scripts/build.mjs writes it here. It detects a
 * `supervisor.cjs` that was changed since, for example by a worker in `node_modules`.
 */
export const supervisorDigest: string = '';
