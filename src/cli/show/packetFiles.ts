import { parseJsonText } from '../../adapters/documents/json';
import { readWorkspaceFile } from '../../adapters/files/place';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { Packet } from '../../core/model/state';
import { packetText } from '../../engine/views/packetText';
import { utcText } from '../../base/text/amounts';

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

/** Says how a packet was closed, for a person; null: it is open. */
export function closedLine({ state }: Pick<Packet, 'state'>): TerminalText | null {
  switch (state.kind) {
    case 'open':
      return null;
    case 'superseded':
      return terminal`This packet is closed together with its task: ${state.reason}`;
    case 'resolved': {
      const { actor, at, reason } = state.decision;
      const who = actor.kind === 'orchestrator' ? `The orchestrator ${actor.name}` : actor.name;
      return terminal`${who} closed this packet at ${utcText(at)} with ${state.outcome}: ${reason}`;
    }
  }
}

/** The text of a packet, for a person: the lines of the contract are marked as such, and their words explained. */
export function quotedLines(text: string, as: keyof typeof quotedAs): readonly TerminalText[] {
  const lines = text.split('\n');
  const at = lines.indexOf(contractBegins);
  const [report, contract] = at === -1 ? [lines, []] : [lines.slice(0, at), lines.slice(at)];
  const said = contract.join('\n').toLowerCase();
  const words = contractWords.filter(([word]) => said.includes(word));
  return [
    quotedAs[as],
    terminal``,
    ...report.map((line) => terminal`${line}`),
    ...(contract.length > 0
      ? [terminal`What follows quotes the recovery contract, for an orchestrator. At its end it lists the files.`]
      : []),
    ...(words.length > 0 ? [terminal`Its words mean:`] : []),
    ...words.map(([word, meaning]) => terminal`  ${word}: ${meaning}`),
    ...(contract.length > 0 ? [terminal``] : []),
    ...contract.map((line) => terminal`${line}`),
  ];
}

const quotedAs = {
  open: terminal`The packet, as it was written:`,
  closed: terminal`The packet, as it was written while it was open:`,
  changed: terminal`The packet, as its files are now:`,
};

/** The first line of a packet that says the same in every packet. */
const contractBegins = '## What can be decided';

/** Words of seed 000 that a person meets in a packet alone, in lower case. */
const contractWords: readonly (readonly [word: string, meaning: string])[] = [
  ['mission tools', 'the commands that an orchestrator has'],
  ['mission metadata', 'priority, time limits and note of a task; you change them with mission packet revise'],
  ['stale, procedural or planning state', 'metadata of a task that no longer fit, such as a limit that is too tight'],
  ['deterministic runner', 'the program that runs the mission'],
  ['artifacts', 'the files that the attempt left'],
];
