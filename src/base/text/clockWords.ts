/** The status names a clock that is farther off. */
const toldMs = 60_000;

/** The sentence about a file system's clock that is far off; null: the clock is close enough. */
export function clockWords(aheadMs: number): string | null {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= toldMs) return null;
  const off = aheadMs > 0 ? 'ahead of' : 'behind';
  return `The clock of the workspace's file system is ${seconds} s ${off} this machine's. Times of changes are corrected by that. Set both clocks by the same time server.`;
}
