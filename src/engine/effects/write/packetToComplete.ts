import { documentText } from '../../../base/json';
import { memoryMember } from '../../../core/memory/proposed';
import type { Claim } from '../../../core/model/facts';

/** A worker's result packet as a person completes it, with what it proposes to remember. */
export function packetToComplete({ result, memory }: Extract<Claim, { kind: 'valid' }>): string {
  return documentText({ ...result, ...(memory?.kind === 'proposed' && { [memoryMember]: memory.entries }) });
}
