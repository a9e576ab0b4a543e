import assert from 'node:assert/strict';
import { CliBed, decision, start } from './cliBed';

/** What a person names that is not what they think: the refusal says what is true of it. */
describe('a name that is not what its command is for', () => {
  let bed: CliBed;
  before(() => (bed = new CliBed()));
  after(() => bed.dispose());

  it('packet revise: a closed packet is named as closed, with how and what is possible; another one as unknown', async () => {
    const plan = bed.plan('p', [{ script: `${start}process.exit(7);` }]);
    const blocked = await bed.mission('run', plan);
    const { mission_id } = blocked.json;
    const [{ packet_id } = { packet_id: '' }] = blocked.json.packets;
    const revise = (id: string): ReturnType<CliBed['mission']> =>
      bed.mission('packet', 'revise', id, '--set', 'priority=high', ...decision);
    assert.equal((await bed.mission('retry', mission_id, 'T1', ...decision)).code, 3);
    const closed = await revise(packet_id);
    assert.deepEqual([closed.code, closed.json.code], [2, 'PACKET_CLOSED'], closed.stdout);
    assert.match(closed.json.reason, new RegExp(`^Packet ${packet_id} is resolved \\(retry-repair, by Grace\\)\\.$`));
    assert.match(closed.json.next[0]!, new RegExp(`^mission packet revise ${mission_id} --task T1 --set FIELD=VALUE`));
    assert.equal((await revise(packet_id.replace(/p1$/, 'p2'))).code, 0, 'the open one');
    assert.equal((await revise(packet_id.replace(/p1$/, 'p9'))).json.code, 'PACKET_UNKNOWN');
    assert.equal((await bed.mission('cancel', mission_id, ...decision)).code, 0);
    const ended = await revise(packet_id);
    assert.deepEqual([ended.code, ended.json.code], [2, 'MISSION_CLOSED'], ended.stdout);
    assert.equal((await revise('nobody')).json.code, 'MISSION_UNKNOWN');
  });

  it('audit verify says why a path cannot be read, and that a name is neither mission nor file', async () => {
    for (const [named, says] of [
      ['out/audit.jsonl', /^out\/audit\.jsonl cannot be read: .*no such file/],
      ['../audit.jsonl', /^\.\.\/audit\.jsonl cannot be read: /],
      ['docs/plans', /^docs\/plans cannot be read: it is a folder\.$/],
    ] as const) {
      const refused = await bed.mission('audit', 'verify', named);
      assert.deepEqual([refused.code, refused.json.code], [2, 'FILE_UNREADABLE'], refused.stdout);
      assert.match(refused.json.reason, says);
    }
    const neither = await bed.mission('audit', 'verify', 'audit.jsonl');
    assert.deepEqual([neither.code, neither.json.code], [2, 'MISSION_UNKNOWN'], neither.stdout);
    assert.match(neither.json.reason, /knows no mission audit\.jsonl, and there is no file of that name/);
  });
});
