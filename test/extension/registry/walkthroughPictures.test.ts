import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { walkthrough } from '../../../src/extension/registry/walkthrough';
import { themes, variablesOf } from '../../webview/themes';

/** What WCAG 1.4.11 asks of a picture that a person has to make out. */
const enough = 3;

describe('the pictures of the walkthrough', () => {
  for (const theme of themes) {
    it(`are made out on the ground of the theme ${theme}, frames as well`, () => {
      const variables = variablesOf(theme);
      const ground = colourOf(variables['--vscode-editor-background'] ?? '', [0, 0, 0]);
      const faint = walkthrough.steps.flatMap(({ media: { svg } }) =>
        coloursIn(readFileSync(svg, 'utf8')).flatMap((name) => {
          const painted = colourOf(variables[name] ?? assert.fail(`${svg}: ${name} is in no theme`), ground);
          const ratio = contrast(painted, ground);
          return ratio < enough ? [`${svg}: ${name} ${ratio.toFixed(2)}`] : [];
        }),
      );
      assert.deepEqual(faint, []);
    });
  }
});

type Colour = readonly [number, number, number];

/** The variables that fill and stroke the picture. */
function coloursIn(svg: string): readonly string[] {
  const used = [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, value = '']) => value);
  assert.ok(used.length > 1);
  return (
    [...new Set(used)]
      .filter((value) => value !== 'none')
      // Marks in the colour of the ground lie on a disc in one that is made out on it.
      .filter((value) => value !== 'var(--vscode-editor-background,#ffffff)')
      .map((value) => /^var\((--[\w-]+),#[0-9a-f]{6}\)$/.exec(value)?.[1] ?? assert.fail(`${value} follows no theme`))
  );
}

function colourOf(text: string, below: Colour): Colour {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(text);
  if (hex) return [1, 2, 3].map((part) => Number.parseInt(hex[part] ?? '', 16)) as unknown as Colour;
  const [, r, g, b, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(text) ?? assert.fail(`no colour: ${text}`);
  const over = (part: string | undefined, index: number): number =>
    Number(part) * Number(alpha) + (below[index] ?? 0) * (1 - Number(alpha));
  return [r, g, b].map(over) as unknown as Colour;
}

function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((one) => {
    const part = one / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
