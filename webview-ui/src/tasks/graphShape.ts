/** The box of a task in the graph, in pixels. */
export const taskBox = { width: 180, height: 44 } as const;

/** How the graph is laid out: from left to right, with these distances in pixels. */
export const graphLayout = { rankdir: 'LR', nodesep: 14, ranksep: 48, marginx: 4, marginy: 4 } as const;
