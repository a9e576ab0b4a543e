// Puts PNG pictures of one size and kind together as one animated PNG, which a browser plays without a player. Their
// compressed bytes stay as they are: https://www.w3.org/TR/png-3/#apng-frame-based-animation
import { crc32 } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * @param {readonly { png: Buffer, seconds: number }[]} frames each picture, and how long it is shown
 * @returns {Buffer} repeats without an end
 * @throws {Error} where a picture is no PNG, or differs from the first in size or kind
 */
export function animated(frames) {
  const pictures = frames.map(({ png, seconds }) => ({ ...partsOf(png), seconds }));
  const [first] = pictures;
  if (first === undefined) throw new Error('An animation needs a picture.');
  if (pictures.some(({ header }) => !header.equals(first.header)))
    throw new Error('The pictures of an animation have one size and kind.');
  const place = first.header.subarray(0, 8);
  let sequence = 0;
  const chunks = [chunk('IHDR', first.header), chunk('acTL', Buffer.concat([u32(pictures.length), u32(0)]))];
  for (const [index, { data, seconds }] of pictures.entries()) {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(Math.round(seconds * 100), 0);
    delay.writeUInt16BE(100, 2);
    chunks.push(chunk('fcTL', Buffer.concat([u32(sequence++), place, u32(0), u32(0), delay])));
    for (const bytes of data)
      chunks.push(index === 0 ? chunk('IDAT', bytes) : chunk('fdAT', Buffer.concat([u32(sequence++), bytes])));
  }
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

/** The header of a picture and its compressed bytes. */
function partsOf(png) {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('The picture is no PNG.');
  let header = null;
  const data = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  if (header === null || data.length === 0) throw new Error('The picture has no content.');
  return { header, data };
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  return Buffer.concat([u32(body.length), named, u32(crc32(named))]);
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
