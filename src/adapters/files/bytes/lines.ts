import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/**
 * Streams the lines of a file without their `\n`; `onBytes` sees every byte first. Rejects with the file system's
 * error. Node's own reader also splits at U+2028, which is legal in a file name.
 */
export async function* textLines(file: string | FileHandle, onBytes?: (bytes: Buffer) => void): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  const stream = typeof file === 'string' ? createReadStream(file) : file.createReadStream({ autoClose: false });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes?.(chunk);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

/** Without a byte-order mark; null: the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
