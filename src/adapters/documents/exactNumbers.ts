import { visit } from 'jsonc-parser';

/**
 * Returns whether double precision loses no digit of a number in a JSON text; `2.50` and `2.5` count as equal. The text
 * must be JSON of bounded depth.
 */
export function hasExactNumbers(text: string): boolean {
  let exact = true;
  visit(text, {
    onLiteralValue: (value: unknown, offset, length) => {
      if (typeof value === 'number' && !isExact(text.slice(offset, offset + length), value)) exact = false;
    },
  });
  return exact;
}

/** Characters; a double never needs so many. */
const longest = 40;

function isExact(written: string, value: number): boolean {
  const read = JSON.stringify(value);
  return written === read || (written.length <= longest && decimalOf(written) === decimalOf(read));
}

/** Sign, digits without zeros at their ends, and the power of ten. */
function decimalOf(number: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (parts === null) return number; // `null`: too large for a double
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - short.length;
  return short === '' ? `${sign}0` : `${sign}${short}e${exponent}`;
}
