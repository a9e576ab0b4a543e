import assert from 'node:assert/strict';
import { done, refused, type Outcome } from '../../../src/base/outcome';
import { deliver, longWaitSeconds, sendToOwner } from '../../../src/engine/owner/deliver';
import type { OtherOwner } from '../../../src/engine/ports/ownership';
import type { CommandAnswer } from '../../../src/core/model/sessionFacts';
import { FakeTime } from '../fakeWorld';

const yes: CommandAnswer = { accepted: true, code: 'OK', reason: 'Paused.', next: [] };
const held = refused('LEASE_HELD', 'Another process was faster.', 'Send it there.');

/** What the other owner does, one entry for each time that it is asked; the last one again and again. */
interface Script {
  readonly there: readonly boolean[];
  readonly answers?: readonly (CommandAnswer | 'nobody' | 'gone' | 'pending')[];
}

function scripted({ there, answers = [] }: Script): OtherOwner & { sent: number; takenBack: number; asked: number } {
  const next = <T>(list: readonly T[], index: number): T => {
    const entry = list[Math.min(index, list.length - 1)];
    assert.ok(entry !== undefined, 'the script says nothing of this');
    return entry;
  };
  const owner = {
    sent: 0,
    takenBack: 0,
    asked: 0,
    isThere: () => Promise.resolve(next(there, owner.asked++)),
    send: () => Promise.resolve(next(answers, owner.sent++)),
    takeBack: () => {
      owner.takenBack += 1;
      return Promise.resolve();
    },
  };
  return owner;
}

function deciding(...outcomes: readonly Outcome<string>[]): (() => Promise<Outcome<string>>) & { times: number } {
  const decide = Object.assign(
    () => {
      const outcome = outcomes[Math.min(decide.times++, outcomes.length - 1)];
      assert.ok(outcome, 'nothing is to be decided here');
      return Promise.resolve(outcome);
    },
    { times: 0 },
  );
  return decide;
}

describe('engine: a command on its way to the owner of the missions', () => {
  it('is decided here where no process owns them', async () => {
    const owner = scripted({ there: [false] });
    assert.deepEqual(await deliver(owner, deciding(done('mine')), 'look'), { by: 'this', value: 'mine' });
    assert.equal(owner.sent, 0);
  });

  it('is answered by the owner in another process, and not decided here', async () => {
    const decide = deciding();
    const owner = scripted({ there: [true], answers: [yes] });
    assert.deepEqual(await deliver(owner, decide, 'look'), { by: 'another', answer: yes });
    assert.equal(decide.times, 0);
  });

  it('is sent when another process takes the missions first', async () => {
    const owner = scripted({ there: [false, true], answers: [yes] });
    assert.deepEqual(await deliver(owner, deciding(held), 'look'), { by: 'another', answer: yes });
  });

  it('is taken back from an owner that has gone with it, and decided here', async () => {
    const owner = scripted({ there: [true, false], answers: ['pending'] });
    assert.deepEqual(await deliver(owner, deciding(done('mine')), 'look'), { by: 'this', value: 'mine' });
    assert.deepEqual([owner.sent, owner.takenBack], [1, 1]);
  });

  it('is decided here when its owner goes without having taken it; nothing is taken back', async () => {
    const owner = scripted({ there: [true, false], answers: ['nobody'] });
    assert.deepEqual(await deliver(owner, deciding(done('mine')), 'look'), { by: 'this', value: 'mine' });
    assert.equal(owner.takenBack, 0);
  });

  it('is left to the owner that has taken it, and decided once', async () => {
    const decide = deciding();
    const owner = scripted({ there: [true], answers: ['pending'] });
    const delivered = await deliver(owner, decide, 'look');
    assert.ok(delivered.by === 'nobody');
    assert.deepEqual([delivered.refusal.code, delivered.refusal.next], ['LEASE_HELD', ['look']]);
    assert.match(delivered.refusal.reason, /has taken the command/);
    assert.deepEqual([owner.sent, owner.takenBack, decide.times], [1, 0, 0]);
  });

  it('is given up after three tries at an owner that takes nothing', async () => {
    const owner = scripted({ there: [true], answers: ['nobody'] });
    const delivered = await deliver(owner, deciding(held), 'look');
    assert.ok(delivered.by === 'nobody');
    assert.match(delivered.refusal.reason, /^Another process was faster\. It does not answer\.$/);
    assert.deepEqual([owner.sent, delivered.refusal.next[0]], [3, 'look']);
  });

  it('is sent to the next owner, however many owners ended with it before', async () => {
    const answers = [...Array.from({ length: 30 }, () => 'gone' as const), yes];
    const owner = scripted({ there: [true], answers });
    assert.deepEqual(await deliver(owner, deciding(), 'look'), { by: 'another', answer: yes });
    assert.deepEqual([owner.sent, owner.takenBack], [31, 0]);
  });

  it('is given up when owners go on changing', async () => {
    const owner = scripted({ there: [false] });
    const decide = deciding(held);
    const delivered = await deliver(owner, decide, 'look');
    assert.ok(delivered.by === 'nobody');
    assert.deepEqual([delivered.refusal.code, decide.times], ['LEASE_HELD', 100]);
  });

  it('is refused with what keeps this process from deciding it', async () => {
    const refusal = refused('STATE_STORE_UNWRITABLE', 'The folder is read-only.', 'mission doctor');
    assert.deepEqual(await deliver(scripted({ there: [false] }), deciding(refusal), 'look'), {
      by: 'nobody',
      refusal: refusal.refusal,
    });
  });

  describe('that takes long to answer', () => {
    let time: FakeTime;
    let said: (() => boolean)[];
    let seconds: number[];
    beforeEach(() => {
      time = new FakeTime();
      said = [];
      seconds = [];
    });
    const wait = (): Parameters<typeof deliver>[3] => ({
      clock: time,
      timers: time,
      tell(isOver, limit) {
        said.push(isOver);
        seconds.push(limit);
      },
    });
    /** An owner that answers each send after so many seconds, the last one again and again. */
    const slow = (seconds: number, answers: NonNullable<Script['answers']>): ReturnType<typeof scripted> => {
      const owner = scripted({ there: [true], answers });
      const send = owner.send.bind(owner);
      owner.send = (timeoutMs) =>
        new Promise((resolve) => void time.at(time.after(time.now(), seconds), () => resolve(send(timeoutMs))));
      return owner;
    };

    it('makes a person see so once, before the answer comes, and not after it', async () => {
      const delivered = deliver(slow(longWaitSeconds + 1, [yes]), deciding(), 'look', wait());
      await time.pass(longWaitSeconds - 1);
      assert.equal(said.length, 0);
      await time.pass(1);
      assert.deepEqual(
        said.map((isOver) => isOver()),
        [false],
      );
      await time.pass(1);
      assert.deepEqual(await delivered, { by: 'another', answer: yes });
      assert.deepEqual([said.map((isOver) => isOver()), time.next], [[true], null]);
    });

    it('is not mentioned when it answers at once, and leaves no timer', async () => {
      const delivered = deliver(slow(longWaitSeconds - 1, [yes]), deciding(), 'look', wait());
      await time.pass(60);
      assert.deepEqual(await delivered, { by: 'another', answer: yes });
      assert.deepEqual([said.length, time.next], [0, null]);
    });

    it('is mentioned once, however often the command is sent', async () => {
      const owner = slow(15, ['nobody']);
      const delivered = deliver(owner, deciding(held), 'look', wait());
      await time.pass(60);
      assert.ok((await delivered).by === 'nobody');
      assert.deepEqual([owner.sent, said.length], [3, 1]);
      assert.deepEqual(seconds, [45], 'of all that it waits for');
    });

    it('is mentioned with the time of one send where no more are made', async () => {
      const sent = sendToOwner(slow(15, ['nobody']), wait());
      await time.pass(15);
      assert.deepEqual([await sent, seconds], [{ kind: 'silent' }, [15]]);
    });

    it('is not mentioned while this process decides, however long that takes', async () => {
      const decide = (): Promise<Outcome<string>> =>
        new Promise((resolve) => void time.at(time.after(time.now(), 60), () => resolve(done('mine'))));
      const delivered = deliver(scripted({ there: [false] }), decide, 'look', wait());
      await time.pass(60);
      assert.deepEqual([await delivered, said.length], [{ by: 'this', value: 'mine' }, 0]);
    });
  });

  it('is sent once where no answer is needed', async () => {
    assert.equal(await sendToOwner(scripted({ there: [false] })), null);
    const silent = scripted({ there: [true], answers: ['nobody'] });
    assert.deepEqual([await sendToOwner(silent), silent.sent], [{ kind: 'silent' }, 1]);
  });
});
