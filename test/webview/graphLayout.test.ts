import assert from 'node:assert/strict';
import * as dagre from '@dagrejs/dagre';
import { build } from 'esbuild';
import { dagreSources } from '../../scripts/dagre.mjs';
import { graphLayout, taskBox } from '../../webview-ui/src/tasks/graphShape';
import { dice, type Dice } from '../support/dice';

type Layout = Pick<typeof dagre, 'Graph' | 'layout'>;
type Waits = readonly (readonly [before: string, after: string])[];

describe('the layout that the page is bundled with', () => {
  let bundled: Layout;
  before(async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { Graph, layout } from '@dagrejs/dagre';`, resolveDir: process.cwd() },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node', plugins: [dagreSources] },
    });
    const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
    bundled = (await import(`data:text/javascript;base64,${text}`)) as Layout;
  });

  it('places tasks and lines where the whole library places them', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const tasks = 1 + (seed % 40);
      const waits = waitsOf(tasks, dice(seed));
      assert.deepEqual(placed(bundled, tasks, waits), placed(dagre, tasks, waits), `graph ${seed}`);
    }
  });

  it('places tasks that wait for each other as well', () => {
    const circle: Waits = [['0', '1'], ['1', '2'], ['2', '0'], ['2', '3'], ['3', '3']]; // prettier-ignore
    assert.deepEqual(placed(bundled, 4, circle), placed(dagre, 4, circle));
  });
});

/** Some wait for none, some for several far before them. */
function waitsOf(tasks: number, random: Dice): Waits {
  return Array.from({ length: tasks }, (_, after) =>
    Array.from(
      { length: after === 0 ? 0 : random.below(4) },
      () => [String(random.below(after)), String(after)] as const,
    ),
  ).flat();
}

function placed({ Graph, layout }: Layout, tasks: number, waits: Waits): unknown {
  const graph = new Graph();
  graph.setGraph({ ...graphLayout });
  graph.setDefaultEdgeLabel(() => ({}));
  for (let task = 0; task < tasks; task++) graph.setNode(String(task), { ...taskBox });
  for (const [before, after] of waits) graph.setEdge(before, after);
  layout(graph);
  return {
    size: graph.graph() as unknown,
    tasks: graph.nodes().map((name) => graph.node(name) as unknown),
    lines: graph.edges().map((edge) => [edge, graph.edge(edge) as unknown]),
  };
}
