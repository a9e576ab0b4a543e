/** SHA-256 (hex) of the programs built with this one, by scripts/build.mjs. They show a change, as by a worker. */
export const supervisorDigest: string = '';
export const mcpDigest: string = '';
