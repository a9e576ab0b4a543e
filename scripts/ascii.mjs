// Programs in ASCII alone. V8 keeps a file with one other character in two bytes for each of its
// characters. It then reads, hashes and scans the file at half the speed. That was a sixth of a
// start of `mission`.
//
// esbuild escapes such characters in texts, and leaves those in regular expressions and comments.

/**
 * @param {string} code JavaScript
 * @returns {string} the same in ASCII; a regular expression finds the same
 */
export function inAscii(code) {
  // Refuses these, because after a backslash and in a raw text the escape would be read as text.
  const kept = /\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.exec(code);
  if (kept !== null) throw new Error(`${JSON.stringify(kept[0].slice(-40))} cannot be written in ASCII`);
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
