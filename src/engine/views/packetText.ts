import { recoveryPacketSchema } from '../../contracts/recoveryPacket';
import { packetMarkdown } from '../../core/packets/markdown';

/** A recovery packet as Markdown for a person; null: the value is no packet. */
export function packetText(value: unknown): string | null {
  const parsed = recoveryPacketSchema.safeParse(value);
  return parsed.success ? packetMarkdown(parsed.data).toString() : null;
}
