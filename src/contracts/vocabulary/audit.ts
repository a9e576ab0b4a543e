/** How one invocation ended. Source: seed 004. */
export const invocationResults = ['success', 'retry', 'ask_user', 'intervention', 'halt'] as const;
