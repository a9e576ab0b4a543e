/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** The keys and indexes that a JSON pointer names, from the outside in. */
export function pointerTokens(pointer: string): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}
