import { parseJsonText } from '../../adapters/documents/json';
import { readWorkspaceFile } from '../../adapters/files/workspaceFile';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { Packet } from '../../core/model/state';
import { packetText } from '../../engine/views/packetText';

export interface PacketFiles {
  /** The document; null: it is no JSON any longer. */
  readonly value: unknown;
  readonly text: string;
  /** What was changed after the runner wrote them. */
  readonly findings: readonly EvidenceFinding[];
}

/**
 * Reads both files of a packet and compares them with what the journal recorded. It recorded the JSON alone, so the text
 * is made from that where the Markdown says something else. Null: there is no file to read.
 */
export async function readPacketFiles(
  workspace: string,
  { asked, writes, written }: Pick<Packet, 'asked' | 'writes' | 'written'>,
): Promise<PacketFiles | null> {
  if (written === null) return null;
  const file = await readWorkspaceFile(workspace, written.path);
  if (file.kind !== 'file') return null;
  const markdown = written.path.replace(/\.json$/, '.md');
  const twin = await readWorkspaceFile(workspace, markdown);
  const beside = twin.kind === 'file' ? twin.bytes.toString('utf8') : null;
  const json = parseJsonText(file.bytes);
  const value = json.value ?? null;
  const found = beside ?? file.bytes.toString('utf8');
  // A question was put on it, and the runner writes it anew right now.
  if (asked >= writes) return { value, text: found, findings: [] };
  if (json.sha256 !== written.sha256) return { value, text: found, findings: [changed(written, json.sha256)] };
  const text = packetText(value);
  if (text === null || text === beside) return { value, text: found, findings: [] };
  return { value, text, findings: beside === null ? [] : [textChanged(markdown)] };
}

function changed({ path, sha256 }: NonNullable<Packet['written']>, now: string): EvidenceFinding {
  const message = `The file is not as the runner wrote it: the journal recorded SHA-256 ${sha256}, and the file has ${now}.`;
  return evidenceFinding('PACKET_CHANGED', path, message);
}

function textChanged(path: string): EvidenceFinding {
  const message = 'The file does not say what the recorded packet says. The text below is made from the packet.';
  return evidenceFinding('PACKET_TEXT_CHANGED', path, message);
}
