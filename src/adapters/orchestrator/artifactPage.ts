import type { ArtifactPage } from '../../engine/ports/orchestrator';
import { openFile } from '../files/opened';

/** Bytes from `offset` as text, cut before a character that would be torn; null: the path is no regular file. */
export async function artifactPage(file: string, offset: number, limit: number): Promise<ArtifactPage | null> {
  const opened = await openFile(file).catch(() => null); // not readable: the page cannot show it
  if (opened?.kind !== 'opened') return null;
  const { handle, stats } = opened;
  try {
    const buffer = Buffer.alloc(limit);
    const { bytesRead } = await handle.read(buffer, 0, limit, offset);
    const whole = bytesRead < limit ? bytesRead : wholeCharacters(buffer);
    const end = offset + whole;
    return {
      text: buffer.toString('utf8', 0, whole),
      bytes: stats.size,
      next_offset: whole > 0 && end < stats.size ? end : null,
    };
  } finally {
    await handle.close();
  }
}

/** The length without a last character that is incomplete. */
function wholeCharacters(buffer: Buffer): number {
  for (let at = buffer.length - 1; at >= Math.max(0, buffer.length - 4); at -= 1) {
    const byte = buffer[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + size > buffer.length ? at : buffer.length;
  }
  return buffer.length;
}
