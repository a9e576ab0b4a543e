import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import { code, list, inMarkdown, paragraphs, type MarkdownText } from '../text/markdown';
import { packetFileName } from './packetNames';

/** The Markdown twin: the same facts for a person. */
export function packetMarkdown(packet: RecoveryPacket): MarkdownText {
  const { block } = packet;
  const ended = block.signal === undefined || block.signal === null ? '' : inMarkdown`, killed by ${block.signal}`;
  return inMarkdown`${paragraphs([
    inMarkdown`# Mission recovery packet`,
    list(
      [
        inMarkdown`Packet: ${code(packet.packetId ?? packetFileName(packet.createdAt, block.runId))}`,
        inMarkdown`Mission: ${code(packet.missionId)} ${packet.missionTitle}`,
        inMarkdown`Status: ${packet.status}`,
        inMarkdown`Created: ${packet.createdAt}`,
        inMarkdown`Block: ${block.reasonCategory} on ${block.kind} ${code(block.failedItemId)} (${block.failedItemTitle})`,
        ...(block.status === undefined ? [] : [inMarkdown`Reported: ${block.status}`]),
        inMarkdown`Exit code: ${String(block.exitCode)}${ended}${block.cancelled === true ? ', cancelled' : ''}`,
        inMarkdown`Run directory: ${code(block.runDir)}`,
        inMarkdown`Dispatch: ${packet.dispatch.target}; fallback ${packet.dispatch.fallback}`,
      ],
      '',
    ),
    inMarkdown`## Authority contract`,
    list(
      [
        ...packet.authority.runner.map((line) => inMarkdown`Runner: ${line}`),
        inMarkdown`Runtime orchestrator: mission tools and mission metadata; repository edits ${packet.authority.runtimeOrchestrator.repositoryEditPolicy}`,
        ...packet.authority.mainChat.map((line) => inMarkdown`Main chat: ${line}`),
        inMarkdown`Mission Control: ${packet.authority.missionControl}`,
      ],
      '',
    ),
    inMarkdown`## Allowed recovery outcomes`,
    list(
      packet.allowedOutcomes.map(
        (option) =>
          inMarkdown`**${option.outcome}**: ${option.description} Safe when: ${option.safeWhen}${option.requiresHuman === true ? inMarkdown` Needs a human.` : ''}`,
      ),
      '',
    ),
    inMarkdown`## Required orchestrator action`,
    inMarkdown.lines(packet.instructions.map((line, index) => inMarkdown`${index + 1}. ${line}`)),
    inMarkdown`## Artifacts`,
    list(block.artifactPaths.map(code), 'None was left.'),
  ])}\n`;
}
