/**
 * SHA-256 (hex) of the supervisor that was built together with this program: scripts/build.mjs writes it here. A
 * supervisor.cjs that has become another file since, for example in a `node_modules` where workers write, is not it.
 */
export const supervisorDigest: string = '';
