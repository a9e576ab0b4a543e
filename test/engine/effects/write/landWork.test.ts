import assert from 'node:assert/strict';
import { landWork } from '../../../../src/engine/effects/write/landWork';
import type { EnginePorts } from '../../../../src/engine/ports/engine';
import type { LandRequest } from '../../../../src/engine/ports/workspace';
import { fold } from '../../../../src/core/mission/evolve';
import { played } from '../../../scenarios/played';

const lands = { confined: true, landing: 'lands' } as const;

/** Lands the work of B, of which the layer holds a file that no look at it saw. A has landed. */
async function landed(ofA: string, held: string) {
  const { entries } = played({
    ...{ max_parallel: 2, layers: 'all', tasks: [{ task_id: 'A' }, { task_id: 'B' }], slow: ['A', 'B'] },
    world: { 'A#1': { ...lands, changes: [ofA] }, 'B#1': { ...lands, changes: ['src/y'] } },
  });
  const at = entries.findIndex(({ event }) => event.type === 'LandingRequested' && event.task_id === 'B');
  const mission = fold(entries.slice(0, at + 1));
  assert.ok(mission);
  const asked: (readonly string[] | undefined)[] = [];
  const land = ({ judged }: LandRequest): unknown => {
    const merges = judged?.merges?.map(({ path }) => path);
    asked.push(merges);
    const facts = merges ? { changed: [], merged: merges.map(() => ({ kind: 'nothing' })) } : { changed: [held] };
    return Promise.resolve({ ok: true, value: facts });
  };
  const ports = { workspace: { land }, paths: { runDir: () => '' }, storedName: (name: string) => name };
  const effect = { kind: 'landWork', key: '', task_id: 'B', attempt: 1 } as const;
  const run = { effect, mission, ports: ports as unknown as EnginePorts } as unknown as Parameters<typeof landWork>[0];
  return { asked, report: await landWork(run) };
}

describe('work that lands', () => {
  it('is merged with what another task landed right before its layer was looked at, and accuses nothing else', async () => {
    const { asked, report } = await landed('src/x', 'src/x');
    assert.deepEqual(asked, [undefined, ['src/x']]);
    assert.ok(report.type === 'WorkCouldNotLand');
    assert.deepEqual(
      [report.changed, report.merged?.map(({ name, task_id }) => [name, task_id])],
      [[], [['src/x', 'A']]],
    );
  });

  it('stays out where something else changed it, which no task landed', async () => {
    const { asked, report } = await landed('src/x', 'src/z');
    assert.deepEqual([asked, report.type === 'WorkCouldNotLand' && report.changed], [[undefined], ['src/z']]);
  });
});
