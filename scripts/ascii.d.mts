/** JavaScript, written in ASCII alone. */
export function inAscii(code: string): string;
