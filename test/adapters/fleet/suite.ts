import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FleetOutcome } from '../../../src/contracts/fleet';
import type { SealedText } from '../../../src/contracts/fleetMirror';
import type { Claim, Fleet, FleetMission, Hold } from '../../../src/engine/ports/fleet';

export interface OpenedFleet {
  readonly fleet: Fleet;
  /** Passes a lease's time without a word from any host. */
  readonly silence: () => void | Promise<void>;
}

export function planned(planHash: string, of: Partial<FleetMission> = {}): FleetMission {
  const order = { text: planHash, seal: 'a seal' };
  return {
    id: randomUUID(),
    plan_hash: planHash,
    priority: 0,
    repository: `repository of ${planHash}`,
    needs: [],
    order,
    ...of,
  };
}

const completed: FleetOutcome = {
  ...{ status: 'completed', mission_id: 'a-1', host: 'h', folder: '/work/a', branch: null, code: null, reason: null },
};

function textOf({ order }: Claim): string {
  return (order as SealedText).text;
}

/** What every fleet must do; `open` gives an empty one. */
export function fleetSuite(name: string, open: () => Promise<OpenedFleet>): void {
  describe(`fleet: ${name}`, () => {
    let fleet: Fleet;
    let silence: OpenedFleet['silence'];
    beforeEach(async () => {
      ({ fleet, silence } = await open());
    });

    async function claimed(): Promise<Claim> {
      const claim = await fleet.claim(new Set());
      assert(claim !== null);
      return claim;
    }

    it('hands a mission to one host, with what was submitted', async () => {
      const mission = planned('A', { priority: 3 });
      const { kind, id } = await fleet.submit(mission);
      assert.equal(kind, 'queued');
      const claim = await claimed();
      assert.deepEqual([claim.id, claim.order], [id, mission.order]);
      assert.equal(await fleet.claim(new Set()), null);
      assert.equal(await claim.beat(), 'held');
    });

    it('says what each host has, as the host said it last', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      for (const [id, text] of [
        [one, 'first'],
        [other, 'second'],
        [one, 'third'],
      ] as const)
        await fleet.announce(id, { text, seal: 'a seal' });
      const said = (await fleet.hosts()).map((content) => (JSON.parse(content) as SealedText).text);
      assert.deepEqual(said.sort(), ['second', 'third']);
    });

    it('queues a plan once while it waits or runs, and again after its end', async () => {
      const { id } = await fleet.submit(planned('A'));
      assert.deepEqual(await fleet.submit(planned('A')), { kind: 'known', id });
      const claim = await claimed();
      assert.deepEqual(await fleet.submit(planned('A')), { kind: 'known', id });
      await claim.record('task 1', 'one');
      assert.equal(await claim.end(completed), 'held');
      assert.equal(await fleet.claim(new Set()), null);
      const again = await fleet.submit(planned('A'));
      assert.equal(again.kind, 'queued');
      assert.notEqual(again.id, id);
      assert.deepEqual(await (await claimed()).exports(), []);
    });

    it('hands out the most urgent mission first', async () => {
      for (const [hash, priority] of [
        ['A', 1],
        ['B', 5],
        ['C', 3],
      ] as const)
        await fleet.submit(planned(hash, { priority }));
      const order = [await claimed(), await claimed(), await claimed()].map(textOf);
      assert.deepEqual(order, ['B', 'C', 'A']);
    });

    it('runs one mission of a repository at a time', async () => {
      await fleet.submit(planned('A', { repository: 'r', priority: 1 }));
      await fleet.submit(planned('B', { repository: 'r' }));
      const first = await claimed();
      assert.equal(await fleet.claim(new Set()), null);
      await first.end(completed);
      assert.equal(textOf(await claimed()), 'B');
    });

    it('hands a mission only to a host that has what it needs, the most urgent first', async () => {
      await fleet.submit(planned('A', { needs: ['claude', 'gpu'], priority: 5 }));
      await fleet.submit(planned('B', { needs: ['claude'], priority: 1 }));
      await fleet.submit(planned('C', { priority: 3 }));
      const claimedWith = async (...labels: string[]): Promise<string | null> => {
        const claim = await fleet.claim(new Set(labels));
        return claim && textOf(claim);
      };
      assert.equal(await claimedWith('claude'), 'C');
      assert.equal(await claimedWith(), null);
      assert.equal(await claimedWith('gpu'), null);
      assert.equal(await claimedWith('codex', 'gpu', 'claude'), 'A');
      assert.equal(await claimedWith('claude'), 'B');
    });

    it('runs one mission of a repository at a time, whatever they need, and knows a plan whatever it needs', async () => {
      const { id } = await fleet.submit(planned('A', { repository: 'r', needs: ['gpu'] }));
      await fleet.submit(planned('B', { repository: 'r' }));
      assert.deepEqual(await fleet.submit(planned('A', { repository: 'r' })), { kind: 'known', id });
      const first = await fleet.claim(new Set(['gpu']));
      assert.equal(await fleet.claim(new Set(['gpu'])), null);
      assert.equal(await first?.end(completed), 'held');
      assert.equal(textOf(await claimed()), 'B');
      assert.equal(await fleet.cancel(id), false);
      const again = await fleet.submit(planned('A', { needs: ['gpu'] }));
      assert.equal(await fleet.cancel(again.id), true);
      assert.equal((await fleet.list()).length, 3);
    });

    it('hands the mission of a silent host to another one, with its exports', async () => {
      await fleet.submit(planned('A'));
      const lost = await claimed();
      assert.equal(await lost.record('task 1', 'one'), 'held');
      await silence();
      const next = await claimed();
      assert.notEqual(next.run_id, lost.run_id);
      assert.deepEqual(await next.exports(), [{ name: 'task 1', run_id: lost.run_id, content: 'one' }]);
    });

    // Each is the first that the host asks, because a claim that was lost once asks no more.
    const tries: Readonly<Record<string, (claim: Claim) => Promise<Hold>>> = {
      'keep it': (claim) => claim.beat(),
      'record an export': (claim) => claim.record('task 1', 'stale'),
      'end it': (claim) => claim.end(completed),
      'hand it back': (claim) => claim.handBack(),
    };
    for (const [what, attempt] of Object.entries(tries)) {
      it(`refuses a host to ${what} whose mission another one has`, async () => {
        await fleet.submit(planned('A'));
        const lost = await claimed();
        await silence();
        const next = await claimed();
        assert.equal(await attempt(lost), 'lost');
        assert.deepEqual(await next.exports(), []);
        assert.equal(await fleet.claim(new Set()), null);
        assert.equal(await next.record('task 1', 'fresh'), 'held');
        assert.equal(await next.end(completed), 'held');
      });

      it(`refuses a silent host to ${what} before another one has its mission`, async () => {
        await fleet.submit(planned('A'));
        const lost = await claimed();
        await silence();
        assert.equal(await attempt(lost), 'lost');
        assert.deepEqual(await (await claimed()).exports(), []);
      });
    }

    it('keeps the first export of a name', async () => {
      await fleet.submit(planned('A'));
      const claim = await claimed();
      assert.equal(await claim.record('task 1', 'one'), 'held');
      assert.equal(await claim.record('task 1', 'two'), 'held');
      assert.deepEqual(
        (await claim.exports()).map(({ content }) => content),
        ['one'],
      );
    });

    it('lists what waits, runs and ended, with its outcome and its exports', async () => {
      const ids = [];
      for (const name of ['A', 'B', 'C']) ids.push((await fleet.submit(planned(name))).id);
      const first = await claimed();
      await first.record('task 1', 'one');
      await first.end(completed);
      const second = await claimed();
      assert.deepEqual(
        (await fleet.list()).map(({ id, order, state, claims, outcome }) => ({ id, order, state, claims, outcome })),
        [
          { id: ids[0], order: planned('A').order, state: 'ended', claims: 1, outcome: completed },
          { id: ids[1], order: planned('B').order, state: 'running', claims: 1, outcome: null },
          { id: ids[2], order: planned('C').order, state: 'waiting', claims: 0, outcome: null },
        ],
      );
      assert.deepEqual(await fleet.exported(first.id), [{ name: 'task 1', run_id: first.run_id }]);
      assert.deepEqual(await fleet.exported(second.id), []);
    });

    it('takes a canceled mission from its host, and hands it out no more', async () => {
      const { id } = await fleet.submit(planned('A'));
      const lost = await claimed();
      await lost.handBack();
      const claim = await claimed();
      assert.equal(await fleet.isOver(claim.run_id), false);
      assert.equal(await fleet.cancel(id), true);
      assert.deepEqual([await fleet.isOver(claim.run_id), await fleet.isOver(lost.run_id)], [true, false]);
      assert.equal(await claim.record('task 1', 'one'), 'lost');
      assert.equal(await fleet.claim(new Set()), null);
      assert.deepEqual(await fleet.exported(id), []);
      assert.equal(await fleet.cancel(id), false);
      const waiting = await fleet.submit(planned('B'));
      assert.equal(await fleet.cancel(waiting.id), true);
      assert.equal(await fleet.claim(new Set()), null);
      assert.deepEqual(
        (await fleet.list()).map(({ state }) => state),
        ['canceled', 'canceled'],
      );
    });

    it('carries words of a host and decisions of people, each once', async () => {
      const { id } = await fleet.submit(planned('A'));
      assert.deepEqual(
        (await fleet.open()).filter((one) => one.id === id),
        [{ id, state: 'waiting' }],
      );
      const first = await claimed();
      await first.tell({ text: 'one', seal: '' });
      await fleet.send(id, { text: 'go', seal: '' });
      assert.deepEqual((await first.decisions()).map(messageOf), ['go']);
      assert.deepEqual(await first.decisions(), []);
      await first.handBack();
      const next = await claimed();
      assert.equal(await first.tell({ text: 'late', seal: '' }), 'lost');
      await next.tell({ text: 'two', seal: '' });
      const heard = await fleet.heard(id, 0);
      assert.deepEqual(
        heard.map(({ run_id, content }) => [run_id, messageOf(content)]),
        [
          [first.run_id, 'one'],
          [next.run_id, 'two'],
        ],
      );
      assert.equal((await fleet.heard(id, heard[0]?.place ?? 0)).length, 1);
      assert.deepEqual((await next.decisions()).map(messageOf), ['go']);
      await next.end(completed);
      assert(!(await fleet.open()).some((one) => one.id === id));
    });

    it('hands out a mission again that a host handed back', async () => {
      await fleet.submit(planned('A'));
      const first = await claimed();
      await first.record('task 1', 'one');
      assert.equal(await first.handBack(), 'held');
      const next = await claimed();
      assert.notEqual(next.run_id, first.run_id);
      assert.equal(await first.end(completed), 'lost');
      assert.equal((await next.exports()).length, 1);
    });
  });
}

function messageOf(content: string): unknown {
  return (JSON.parse(content) as { readonly text: unknown }).text;
}
