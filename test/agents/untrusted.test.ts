import assert from 'node:assert/strict';
import { stages } from './missionSuite';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** What a real CLI hands back may hold a secret: it is not taken over, and it reaches no file. */
describe('a secret in the result of a real CLI', function () {
  this.timeout(240_000);
  const stage = stages('claude');

  it('is UNTRUSTED_CONTEXT_BLOCK, although the work itself is fine', async () => {
    const secret = `ghp_${'b2'.repeat(18)}`;
    const { bed, failureText } = await stage(
      'secret',
      (_place, hello) => (request, index) =>
        index === 0
          ? writeFileTurn('claude', hello, 'fine\n')
          : finishTurn('claude', {
              ...packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }]),
              notes_for_orchestrator: [`I used the token ${secret}`],
            }),
    );
    const end = await bed.run();
    assert.equal(end.exitCode, 3, failureText(end));
    const events = await bed.events();
    const blocked = events.find((event) => event.type === 'RowTransitioned' && event.to === 'blocked');
    assert.ok(blocked?.type === 'RowTransitioned' && blocked.code === 'UNTRUSTED_CONTEXT_BLOCK', failureText(end));
    assert.equal(JSON.stringify(events).includes(secret), false);
    assert.ok(events.some((event) => event.type === 'PacketWritten'));
  });
});
