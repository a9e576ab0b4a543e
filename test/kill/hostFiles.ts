import path from 'node:path';

/** The order for the extension hosts of a round. */
export interface HostOrder {
  /** The main file of the product, absolute. */
  readonly product: string;
  /** At which point each of them dies, the first one first; a number: the so-many-th of all that it reaches. */
  readonly kills: readonly (string | number | null)[];
}

/** Beside the workspace of a round: what hostPoints.program.ts, inside the extension host, reads and leaves there. */
export function hostFiles(scratch: string): {
  readonly order: string;
  readonly folder: string;
  /** Points that the so-many-th extension host reached, one a line. */
  readonly points: (nth: number) => string;
  readonly pid: (nth: number) => string;
  /** There when the product had been loaded by the first extension host before there were points. */
  readonly late: (nth: number) => string;
} {
  const folder = path.join(scratch, 'points');
  return {
    order: path.join(scratch, 'order.json'),
    folder,
    points: (nth) => path.join(folder, String(nth)),
    pid: (nth) => path.join(folder, `${nth}.pid`),
    late: (nth) => path.join(folder, `${nth}.late`),
  };
}
