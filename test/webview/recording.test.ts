import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { openPane, type Pane } from './pane';

interface Played {
  readonly frames: number;
  readonly repeats: number;
  /** Milliseconds that each frame is shown. */
  readonly times: readonly number[];
  readonly sizes: readonly string[];
}

/** The recording of a mission that the README shows, as a browser plays it. */
describe('the recording in the README', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  after(() => pane.close());

  it('is named there, and shows one mission in eight pictures, each for some seconds, again and again', async () => {
    assert.match(await readFile('README.md', 'utf8'), /!\[[^\]]+\]\(media\/recording\.png\)/);
    const base64 = (await readFile('media/recording.png')).toString('base64');
    const played = (await pane.page.evaluate(`(async () => {
      const data = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: 'image/png' });
      await Promise.all([decoder.completed, decoder.tracks.ready]);
      const { frameCount: frames, repetitionCount: repeats } = decoder.tracks.selectedTrack;
      const images = [];
      for (let frameIndex = 0; frameIndex < frames; frameIndex++) images.push((await decoder.decode({ frameIndex })).image);
      return {
        frames,
        repeats: String(repeats) === 'Infinity' ? -1 : repeats,
        times: images.map(({ duration }) => duration / 1000),
        sizes: images.map(({ displayWidth, displayHeight }) => displayWidth + 'x' + displayHeight),
      };
    })()`)) as Played;
    assert.deepEqual([played.frames, played.repeats], [8, -1]);
    assert.ok(played.times.every((ms) => ms >= 2000 && ms <= 5000));
    assert.equal(new Set(played.sizes).size, 1);
  });
});
