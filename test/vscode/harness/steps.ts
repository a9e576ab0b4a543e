/**
 * Call inside a `describe` whose tests are steps of one story: after a failed step the rest of the story is
 * given up at once, with a failure that names the step; other stories run on (mocha's `bail` would skip them too).
 */
export function stepByStep(): void {
  let failed: string | null = null;
  beforeEach(() => {
    if (failed !== null) throw new Error(`not tried, because this step failed: ${failed}`);
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') failed ??= this.currentTest.title;
  });
}
