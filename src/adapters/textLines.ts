import { createReadStream } from 'node:fs';

/**
 * The lines of a text file without their `\n`, streamed; `onBytes` sees every byte first. Rejects with the file
 * system's error. Node's own line reader also splits at U+2028, which is a legal character of a file name.
 */
export async function* textLines(file: string, onBytes?: (bytes: Buffer) => void): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
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
