import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import { endedLayer, readDelta } from '../../../../src/adapters/sandbox/layers/delta';
import { endTree, landingAt } from '../../../../src/adapters/sandbox/layers/landing';
import {
  aroundLayers,
  findLayerMeans,
  hidesBelow,
  layerArguments,
  makeLayer,
  makeTreeLayer,
  type LayerName,
} from '../../../../src/adapters/sandbox/layers/layers';
import type { LayerMount } from '../../../../src/adapters/sandbox/facts/facts';
import type { StrayChange, Strays } from '../../../../src/contracts/launch';
import { bubblewrapFolder } from '../../../support/bubblewrap';
import { skipWithReason } from '../../../support/skip';
import { own, type Bed } from '../bed';

/** A tree with a layer over it, and what a program in either sees. */
export class Layered {
  readonly merged: string;

  private constructor(
    private readonly bed: Bed,
    readonly real: string,
    readonly made: Awaited<ReturnType<typeof makeTreeLayer>>,
    private readonly around: readonly string[],
    private readonly anew: readonly string[],
  ) {
    this.merged = path.join(bed.folder, 'merged');
  }

  static async make(context: Context, bed: Bed, real: string, lands: readonly string[] = []): Promise<Layered> {
    const bwrap = path.join(bed.environment['PATH']?.split(':')[0] ?? bubblewrapFolder().folder ?? '', 'bwrap');
    const root = bed.user === 'root';
    const means = await findLayerMeans({ bwrap, root, environment: bed.environment, folder: bed.state });
    if ('why' in means) return skipWithReason(context, `no layer can be mounted here: ${means.why}`);
    const folder = path.join(bed.state, 'launch');
    for (const one of [folder, path.join(bed.folder, 'merged')]) mkdirSync(one);
    const by = { bwrap, means, root };
    const made = await makeTreeLayer({ workspace: real, folder, lands: landingAt(real, lands), since: Date.now() }, by);
    const line = (mount: LayerMount): readonly string[] => [
      ...aroundLayers([mount], by),
      ...[bwrap, ...(root ? [] : ['--unshare-user']), '--dev-bind', '/', '/', ...layerArguments(mount, means), '--'],
    ];
    const at = path.join(bed.folder, 'merged');
    const anew = { ...made.mount, at, own: path.join(bed.state, 'anew'), lowers: [made.tree.up, real] };
    await makeLayer(anew.own, anew.lowers);
    if (bed.user === 'nobody') for (const one of [bed.folder, bed.state]) own(one);
    return new Layered(bed, real, made, line({ ...made.mount, at }), line(anew));
  }

  /** Runs a program that sees the layer at `merged`. */
  async run(...argv: readonly string[]): Promise<string> {
    return this.ran([...this.around, ...argv]);
  }

  /** Runs a program that sees what a new mount shows, at a folder that it gets as its last argument. */
  async runAnew(...argv: readonly string[]): Promise<string> {
    return this.ran([...this.anew, ...argv, this.merged]);
  }

  /** `meanwhile`: what a person does after the folders were read. */
  delta(meanwhile: () => void = () => undefined): Promise<readonly StrayChange[]> {
    const { tree } = this.made;
    const hides = (folders: readonly LayerName[]): Promise<readonly boolean[]> => {
      meanwhile();
      return hidesBelow(tree, folders, async (line) => ({ code: 0, stdout: await this.ran(line), stderr: '' }));
    };
    return readDelta({ ...endedLayer(tree), hides });
  }

  /** Ends it as the supervisor does. */
  end(): Promise<Strays | null> {
    const tree = { ...this.made.tree };
    return endTree({ folder: '', kept: '', home: null, caches: [], tree }, path.join(this.bed.state, 'landing'), true);
  }

  async ran(argv: readonly string[]): Promise<string> {
    const { code, output } = await this.bed.spawn(argv);
    assert.equal(code, 0, output);
    return output;
  }
}
