/** The ports that a plan may name. Below these only root listens, and a sandbox has no root of its own network. */
export const servicePorts = { min: 1024, max: 65_535 } as const;

/** Bytes of the path of a socket that Linux takes. */
export const longestSocketPath = 107;

/** How many ports and sockets, and how many devices, a plan names. */
export const mostServices = 16;
