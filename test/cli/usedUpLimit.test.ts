import assert from 'node:assert/strict';
import process from 'node:process';
import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';
import type { MissionControlView } from '../../src/contracts/page/missionView';
import { AgentBed } from './agentBed';
import { cliFile } from './cliBed';

const words = "You've hit your session limit · resets 4:10am (America/Sao_Paulo)";
const ends = { at: '2025-11-26T08:10:00Z', said: 'resets 4:10am (America/Sao_Paulo)' };
const limited = `
say({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1764144600, rateLimitType: 'five_hour' } });
say({ type: 'assistant', error: 'rate_limit', message: { content: [{ type: 'text', text: ${JSON.stringify(words)} }] } });
say({ type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: 429, result: ${JSON.stringify(words)} });
process.exitCode = 1;`;

describe('a limit of the provider that is used up', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  it('blocks its task with one code and its end in status and packet, and nothing is launched again', async () => {
    bed.speaks(limited);
    const { code, json, stdout, stderr } = await bed.withClaude('run', bed.agentPlan('limit'));
    assert.deepEqual([code, json.status], [3, 'blocked'], `${stdout}\n${stderr}`);
    assert.equal(bed.launches().length, 1);

    const { json: status } = await bed.mission('status', json.mission_id);
    const block = (status as unknown as MissionControlView).missions[0]?.blocks[0];
    assert.deepEqual([block?.code, block?.limit_ends], ['RATE_LIMITED', ends]);
    const shown = await bed.spawn(process.execPath, [cliFile, 'status', json.mission_id, '--workspace', bed.root])
      .ended;
    assert.match(shown.stdout, /RATE_LIMITED/);
    assert.match(shown.stdout, /accepts no more requests until 2025-11-26 08:10 UTC: You've hit your session limit/);

    const { json: packet } = await bed.mission('packet', 'show', json.packets[0]!.packet_id);
    const place = (packet as unknown as { readonly path: string }).path;
    const written = JSON.parse(bed.read(place)) as RecoveryPacket;
    assert.deepEqual([written.block.code, written.block.limitEnds], ['RATE_LIMITED', ends]);
    assert.match(bed.read(place.replace(/\.json$/, '.md')), /its code `RATE_LIMITED`/);
    const checked = await bed.mission('check', 'recovery-packet', place);
    assert.equal(checked.code, 0, checked.stdout);
  });
});
