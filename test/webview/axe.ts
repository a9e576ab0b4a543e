import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pane } from './pane';

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe-core finds serious or critical, by every one of its rules, or by those named. */
export async function violations({ page }: Pick<Pane, 'page'>, rules?: readonly string[]): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await axeSource());
  const options = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
  const found = (await page.evaluate(`${run}.then(({ violations }) => violations.map(({ id, impact, help, nodes }) =>
    ({ id, impact, help, nodes: nodes.map(({ html }) => ({ html })) })))`)) as readonly AxeViolation[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200) ?? ''} (${nodes.length})`);
}

let source: Promise<string> | undefined;

/** The tests run with the repository root as their working folder. */
function axeSource(): Promise<string> {
  source ??= readFile(path.resolve('node_modules/axe-core/axe.min.js'), 'utf8');
  return source;
}
