import assert from 'node:assert/strict';
import { closedLine, quotedLines } from '../../../src/cli/show/packetFiles';
import { packetFacts } from '../../../src/core/mission/documents';
import { packetMarkdown } from '../../../src/core/packets/markdown';
import { recoveryPacket } from '../../../src/core/packets/packet';
import { play } from '../../scenarios/play';

/** What `mission packet show` says for people around the bytes of a packet. */
describe('a recovery packet, for a person', () => {
  const { mission } = play({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { end: { exit_code: 3 } } } });
  const [packet] = mission.packets;
  assert.ok(packet);
  const text = packetMarkdown(recoveryPacket(packetFacts(mission, packet, 'm', [])))
    .toString()
    .trimEnd()
    .replaceAll('\u00a0', ' ');

  it('marks where the contract is quoted, explains its words, and changes no line of the packet', () => {
    const lines = quotedLines(text, 'open').map(String);
    const from = lines.findIndex((line) => line.startsWith('What follows quotes the recovery contract'));
    const to = lines.indexOf('## What can be decided');
    assert.ok(from > 0 && to > from, lines.join('\n'));
    const explained = lines.slice(from + 2, to - 1).map((line) => line.trim().split(':')[0]);
    assert.deepEqual(explained, [
      ...['mission tools', 'mission metadata', 'stale, procedural or planning state'],
      ...['deterministic runner', 'artifacts'],
    ]);
    // Without what is said around them they are the lines of the file.
    assert.equal([...lines.slice(2, from), ...lines.slice(to)].join('\n'), text);
    for (const word of explained) assert.ok(text.toLowerCase().includes(word), word);
  });

  it('explains no word that it does not have, and quotes what is no packet as it is', () => {
    assert.deepEqual(quotedLines('{\n}', 'open').map(String), ['The packet, as it was written:', '', '{', '}']);
    const own = quotedLines('# T\n\n## What can be decided\n\nNothing.', 'open').map(String);
    assert.ok(!own.includes('Its words mean:'), own.join('\n'));
  });

  it('says how it was closed, by whom, and that its text is of before', () => {
    const decision = { actor: { kind: 'human', name: 'Ada' }, at: '2026-01-01T00:00:00Z', reason: 'mended' } as const;
    const closed = (state: Parameters<typeof closedLine>[0]['state']): string | undefined =>
      closedLine({ state })?.toString();
    assert.equal(
      closed({ kind: 'resolved', outcome: 'retry-repair', decision }),
      'Ada closed this packet at 2026-01-01 00:00 UTC with retry-repair: mended',
    );
    const agent = { ...decision, actor: { kind: 'orchestrator', name: 'codex' } } as const;
    assert.match(
      closed({ kind: 'resolved', outcome: 'resume', decision: agent }) ?? '',
      /^The orchestrator codex closed/,
    );
    assert.equal(
      closed({ kind: 'superseded', reason: 'Skipped by Ada: why' }),
      'This packet is closed together with its task: Skipped by Ada: why',
    );
    assert.equal(closedLine({ state: { kind: 'open' } }), null);
    assert.equal(quotedLines(text, 'closed')[0]?.toString(), 'The packet, as it was written while it was open:');
  });
});
