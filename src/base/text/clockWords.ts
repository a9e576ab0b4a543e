/** A clock that is farther off is named to people. */
const farMs = 60_000;

/** The sentence about a file system's clock that is far off; null: the clock is close enough. */
export function clockWords(aheadMs: number): string | null {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= farMs) return null;
  const off = aheadMs > 0 ? 'ahead of' : 'behind';
  return `The clock of the workspace's file system is ${seconds} s ${off} this machine's. Times of changes are corrected by that. Set both clocks by the same time server.`;
}
