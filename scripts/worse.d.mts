/** Types of scripts/worse.mjs, for the test of it. */
export function worseRatios(report: string, rows: readonly (readonly string[])[]): readonly string[];
