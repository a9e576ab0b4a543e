import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { blockerEventSchema, recoveryEventSchema } from '../../src/contracts/record/recoveryEvent';
import { progressEventTypes } from '../../src/contracts/record/streamEvent';
import { AgentBed } from '../cli/agentBed';
import { decision, until } from '../cli/cliBed';
import { serve, type Served } from '../cli/servedBed';
import type { Page } from '../vscode/harness/playwright';
import { sharedBrowser } from './browser';

interface Seen {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** A browser's own EventSource, behind a line that can be cut, beside a mission that other processes run. */
describe('EventSource in a browser', function () {
  this.timeout(300_000);
  let bed: AgentBed;
  let served: Served;
  let line: Line;
  let page: Page;

  before(async () => {
    bed = new AgentBed(['d1', 'd2', 'd3', 'd4']);
    served = await serve(bed);
    line = await openLine(served.port);
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 800, height: 600 } });
    page = await context.newPage();
    await page.goto(served.link.replace(String(served.port), String(line.port)));
    await page.locator('[data-section="empty"]').waitFor();
  });
  after(async () => {
    line.close();
    await page.context().close();
    served.kill('SIGTERM');
    await served.ended;
    await bed.dispose();
  });

  const seen = (): Promise<readonly Seen[]> => page.evaluate('globalThis.seen') as Promise<readonly Seen[]>;
  const sees = (wanted: (event: Seen) => boolean): Promise<true> =>
    until(async () => ((await seen()).some(wanted) ? true : null));

  it('follows recoveries, the block and the resume, is cut off twice, and loses and doubles nothing', async () => {
    const names = JSON.stringify(['recovery', 'blocker', ...progressEventTypes]);
    await page.evaluate(`(() => {
      globalThis.seen = [];
      const source = new EventSource(location.pathname + 'events');
      const take = ({ type: name, lastEventId: id, data }) => {
        if (data !== undefined) globalThis.seen.push({ name, id, data });
      };
      for (const name of ${names}) source.addEventListener(name, take);
      return new Promise((resolve) => source.addEventListener('open', () => resolve(true), { once: true }));
    })()`);

    bed.speaks(writesOneAfterTheOther(['d1', 'd2', 'd3', 'd4'].map((name) => bed.place(name))));
    const recovery = {
      allow: ['add_directory'],
      directories: ['d1', 'd2', 'd3', 'd4'].map((name) => `../outside/${name}`),
    };
    const run = bed.start('run', bed.agentPlan('FOLLOWED', { recovery }), ...bed.claudeOptions);
    await sees(({ name }) => name === 'recovery');
    line.cut();
    assert.equal((await run.ended).code, 3);
    line.mend();
    await sees(({ name }) => name === 'blocker');
    line.cut();
    const missionId = await bed.missionId();
    bed.speaks(finishes);
    const resumed = await bed.withClaude('resume', missionId, ...decision);
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    line.mend();
    const { length } = await bed.events(missionId);
    await sees(({ id }) => id === `${missionId}:${length}`);

    const events = await seen();
    assert.deepEqual(
      events.map(({ id }) => id),
      Array.from({ length }, (_, index) => `${missionId}:${index + 1}`),
    );
    const of = (wanted: string): readonly unknown[] =>
      events.flatMap(({ name, data }) => (name === wanted ? [JSON.parse(data) as unknown] : []));
    const recoveries = of('recovery').map((one) => recoveryEventSchema.parse(one).payload);
    assert.deepEqual(
      recoveries.map(({ worker, retry_count, status }) => `${worker} ${retry_count} ${status}`),
      ['claude 1 success', 'claude 2 success', 'claude 3 success', 'claude 4 escalated'],
    );
    assert.equal(of('blocker').map((one) => blockerEventSchema.parse(one)).length, 1);
    assert.ok(line.cuts() >= 2, 'a stream was open at each cut');
  });
});

/** Each launch writes into the first folder that it was not given; so many are denied. */
function writesOneAfterTheOther(places: readonly string[]): string {
  return `
  const missing = ${JSON.stringify(places)}.find((place) => !added.includes(place));
  if (missing !== undefined) { denied(path.join(missing, 'note.txt')); end('blocked'); return; }
${finishes}`;
}

const finishes = `
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/done.txt', 'x');
  end('done', 'docs/out/done.txt');`;

/** What stands between a browser and a server: a forwarded port. */
interface Line {
  readonly port: number;
  /** Ends every connection, and each that comes, until it is mended. */
  cut(): void;
  mend(): void;
  /** So many connections were open when they were cut. */
  cuts(): number;
  close(): void;
}

async function openLine(to: number): Promise<Line> {
  const open = new Set<Socket>();
  let [whole, cuts] = [true, 0];
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
    open.add(near);
    near.on('close', () => open.delete(near));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      whole = false;
      cuts += open.size;
      for (const one of open) one.destroy();
    },
    mend: () => void (whole = true),
    cuts: () => cuts,
    close() {
      for (const one of open) one.destroy();
      server.close();
    },
  };
}
