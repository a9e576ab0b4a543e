/** SHA-256 of the UTF-8 bytes of a text, upper-case hex. In plain code, because the deciders touch no Node. FIPS 180-4. */
export function sha256(text: string): string {
  const bytes = padded(utf8(text));
  const state = Int32Array.from(initial);
  const schedule = new Int32Array(64);
  const view = new DataView(bytes.buffer);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++)
      schedule[i] = at(schedule, i - 16) + low(at(schedule, i - 15)) + at(schedule, i - 7) + high(at(schedule, i - 2));
    mix(state, schedule);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase();
}

function mix(state: Int32Array, schedule: Int32Array): void {
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i++) {
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) |
      0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const added = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = at(state, i) + (added[i] ?? 0);
}

const low = (word: number): number => turned(word, 7) ^ turned(word, 18) ^ (word >>> 3);
const high = (word: number): number => turned(word, 17) ^ turned(word, 19) ^ (word >>> 10);

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(schedule: Int32Array, index: number): number {
  return schedule[index] ?? 0;
}

/** The bytes of a text in UTF-8; half a pair counts as U+FFFD. */
export function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let place = 0; place < text.length; place++) {
    const point = text.codePointAt(place) ?? 0;
    if (point < 0x80) {
      bytes[length++] = point;
      continue;
    }
    if (point > 0xffff) place++;
    // Half a pair stands for nothing.
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    const more = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
    if (code >= 0x10000) bytes[length++] = 0xf0 | (code >> 18);
    else bytes[length++] = code < 0x800 ? 0xc0 | (code >> 6) : 0xe0 | (code >> 12);
    if (code >= 0x10000) bytes[length++] = more(12);
    if (code >= 0x800) bytes[length++] = more(6);
    bytes[length++] = more(0);
  }
  return bytes.subarray(0, length);
}

/** The message, a one bit, zeros, and its length in bits as 64. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return bytes;
}

const initial = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

const constants = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
