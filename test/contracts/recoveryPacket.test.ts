import assert from 'node:assert/strict';
import { recoveryPacketSchema } from '../../src/contracts/recoveryPacket';
import { documentedPacket } from './recoveryPacketSample';

function withValue(pointer: string, value: unknown): unknown {
  const packet: unknown = structuredClone(documentedPacket());
  const parts = pointer.split('/').slice(1);
  const last = parts.pop();
  let at = packet as Record<string, unknown>;
  for (const part of parts) at = at[part] as Record<string, unknown>;
  assert.ok(last);
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return packet;
}

describe('recovery packet shape', () => {
  it('accepts the documented sample', () => {
    assert.deepEqual(recoveryPacketSchema.parse(documentedPacket()), documentedPacket());
  });

  for (const [pointer, value] of [
    ['/schemaVersion', 2],
    ['/status', 'resolved'],
    ['/createdAt', 'yesterday'],
    ['/block', undefined],
    ['/block/runId', undefined],
    ['/block/exitCode', null],
    ['/block/exitCode', 'killed'],
    ['/block/reasonCategory', 'bad_luck'],
    ['/block/kind', 'planner'],
    ['/block/artifactPaths', 'all'],
    ['/dispatch/target', 'main-chat'],
    ['/dispatch/trigger', 'user'],
    ['/dispatch/runnerWritesPacket', false],
    ['/dispatch/fallback', 'none'],
    ['/authority/runtimeOrchestrator/mayEditRepositoryImplementation', true],
    ['/authority/runtimeOrchestrator/repositoryEditPolicy', 'allowed'],
    ['/authority/missionControl', 'interactive'],
    ['/allowedOutcomes', documentedPacket().allowedOutcomes.slice(1)],
    ['/allowedOutcomes', [...documentedPacket().allowedOutcomes, documentedPacket().allowedOutcomes[0]]],
    ['/allowedOutcomes/0/outcome', 'give-up'],
    ['/instructions', []],
  ] as const) {
    it(`refuses ${pointer} = ${value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40)}`, () => {
      assert.equal(recoveryPacketSchema.safeParse(withValue(pointer, value)).success, false);
    });
  }
});
