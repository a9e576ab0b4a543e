// oxlint-disable-next-line no-control-regex -- the start of a terminal's colour
const colours = /\u001b\[[\d;]*m/g;

/** NO_COLOR does not keep every program from colouring. */
export function withoutColours(text: string): string {
  return text.replaceAll(colours, '');
}
