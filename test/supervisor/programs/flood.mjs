// Writes BYTES bytes to stdout, lines of 64 characters with a running number, as fast as they are taken.
import process from 'node:process';

let left = Number(process.argv[2]);
const block = (number) => `${String(number).padStart(63, '.')}\n`.repeat(1024);
for (let number = 0; left > 0; number += 1) {
  const bytes = Buffer.from(block(number)).subarray(0, left);
  left -= bytes.length;
  if (!process.stdout.write(bytes)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
