import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { done } from '../../../src/base/outcome';
import type { HostWords } from '../../../src/contracts/fleet';
import type { HeldClaim } from '../../../src/engine/fleet/heldClaim';
import { HostTalk } from '../../../src/engine/fleet/hostTalk';
import type { CommandRequest } from '../../../src/engine/owner/host';
import type { Claim, FleetSeals } from '../../../src/engine/ports/fleet';
import { createMemoryFleet, type MemoryFleet } from '../../support/memoryFleet';

const now = '2026-01-01T12:00:00.000Z';

describe('a host that talks with those who watch its mission', () => {
  let fleet: MemoryFleet;
  let claim: Claim;
  let talk: HostTalk;
  let carriedOut: CommandRequest[];
  let signer: string | null;
  let journal: string[];
  let recorded: number;
  beforeEach(async () => {
    fleet = createMemoryFleet();
    await fleet.submit({
      id: 'a',
      plan_hash: 'A',
      priority: 0,
      repository: 'r',
      needs: [],
      order: { text: '', seal: '' },
    });
    const found = await fleet.claim(new Set());
    assert(found !== null);
    claim = found;
    [carriedOut, signer, journal, recorded] = [[], null, ['one', 'two'], 0];
    const seals: FleetSeals = {
      seal: (about, text) => Promise.resolve(done({ text, seal: about.kind })),
      open: (about, value) => {
        const { text, seal } = value as { readonly text: string; readonly seal: string };
        return Promise.resolve(done(seal === about.kind ? { text, signer } : null));
      },
    };
    const held = {
      onBeat: () => {},
      ask: (call: () => Promise<unknown>) => call(),
      async recorded() {
        recorded = carriedOut.length;
        assert.equal((await said()).filter(({ kind }) => kind === 'answer').length, recorded - 1);
      },
    } as unknown as HeldClaim;
    const host = {
      command(request: CommandRequest) {
        carriedOut.push(request);
        return Promise.resolve({ accepted: true, code: 'OK', reason: 'It goes on.', next: [] });
      },
    };
    talk = new HostTalk(claim, held, {
      ...{ clock: { now: () => now, after: () => now }, seals, host, name: 'h', folder: '/f', mission_id: 'm' },
      lines: (after) => Promise.resolve({ lines: journal.slice(after, after + 1), last: after + 1 }),
    });
  });

  const said = async (): Promise<readonly HostWords[]> =>
    (await fleet.heard(claim.id, 0)).map(
      ({ content }) => JSON.parse((JSON.parse(content) as { readonly text: string }).text) as HostWords,
    );
  const decide = async (change: object = {}, seal = 'decision'): Promise<readonly HostWords[]> => {
    const before = (await said()).length;
    const actor = { kind: 'human', name: 'Ada' };
    const decision = {
      ...{ id: randomUUID(), mission_id: 'm', run_id: claim.run_id, command: { type: 'PauseMission' } },
      ...{ actor, reason: 'Wait.', at: now, ...change },
    };
    await fleet.send(claim.id, { text: JSON.stringify(decision), seal });
    await talk.hear();
    return (await said()).slice(before);
  };

  it('says each event once, those of before too', async () => {
    await talk.say();
    journal.push('three');
    talk.onEntries();
    await talk.say();
    const lines = (await said()).flatMap((words) => (words.kind === 'events' ? words.lines : []));
    assert.deepEqual(lines, ['one', 'two', 'three']);
  });

  it('carries a decision out as the person whose key sealed it, and answers once it is recorded', async () => {
    await talk.say();
    const [answer] = await decide();
    assert(answer?.kind === 'answer' && answer.accepted);
    signer = 'bob@example.com';
    await decide();
    assert.deepEqual(
      carriedOut.map(({ actor, from_worker }) => [actor.name, actor.kind, from_worker]),
      [
        ['Ada', 'human', false],
        ['bob@example.com', 'human', false],
      ],
    );
    assert.equal(recorded, 2);
  });

  it('passes over what has no seal of a decision, and what is about another mission or claim', async () => {
    await talk.say();
    assert.deepEqual(await decide({}, 'words'), []);
    assert.deepEqual(await decide({ mission_id: 'other' }), []);
    assert.deepEqual(await decide({ run_id: `${claim.id}:0` }), []);
    assert.deepEqual(await decide({ more: 1 }), []);
    assert.deepEqual(carriedOut, []);
  });

  it('refuses one that was held back, one that is no command, and one that needs the files', async () => {
    await talk.say();
    for (const change of [
      { at: '2026-01-01T11:49:59.000Z' },
      { at: '2026-01-01T12:10:01.000Z' },
      { command: { type: 'Nothing' } },
      { command: { type: 'ExportHandoff', move: true } },
    ]) {
      const [answer] = await decide(change);
      assert(answer?.kind === 'answer' && !answer.accepted, JSON.stringify(change));
    }
    assert.deepEqual(carriedOut, []);
  });

  it('carries nothing out once its host lets the mission go', async () => {
    await talk.say();
    talk.end();
    const [answer] = await decide();
    assert(answer?.kind === 'answer' && !answer.accepted && answer.code === 'FLEET_NO_HOST');
    assert.deepEqual(carriedOut, []);
  });
});
