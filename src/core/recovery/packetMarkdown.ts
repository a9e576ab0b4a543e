import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import { code, inline, list } from '../evidence/markdown';
import { packetFileName } from './packetNames';

/** The Markdown twin: the same facts for a person. */
export function packetMarkdown(packet: RecoveryPacket): string {
  const { block } = packet;
  const ended = block.signal === undefined || block.signal === null ? '' : `, killed by ${inline(block.signal)}`;
  return `${[
    '# Mission recovery packet',
    list(
      [
        `Packet: ${code(packet.packetId ?? packetFileName(packet.createdAt, block.runId))}`,
        `Mission: ${code(packet.missionId)} ${inline(packet.missionTitle)}`,
        `Status: ${packet.status}`,
        `Created: ${packet.createdAt}`,
        `Block: ${block.reasonCategory} on ${block.kind} ${code(block.failedItemId)} (${inline(block.failedItemTitle)})`,
        ...(block.status === undefined ? [] : [`Reported: ${inline(block.status)}`]),
        `Exit code: ${String(block.exitCode)}${ended}${block.cancelled === true ? ', cancelled' : ''}`,
        `Run directory: ${code(block.runDir)}`,
        `Dispatch: ${packet.dispatch.target}; fallback ${packet.dispatch.fallback}`,
      ],
      '',
    ),
    '## Authority contract',
    list(
      [
        ...packet.authority.runner.map((line) => `Runner: ${inline(line)}`),
        `Runtime orchestrator: mission tools and mission metadata; repository edits ${packet.authority.runtimeOrchestrator.repositoryEditPolicy}`,
        ...packet.authority.mainChat.map((line) => `Main chat: ${inline(line)}`),
        `Mission Control: ${packet.authority.missionControl}`,
      ],
      '',
    ),
    '## Allowed recovery outcomes',
    list(
      packet.allowedOutcomes.map(
        (option) =>
          `**${option.outcome}**: ${inline(option.description)} Safe when: ${inline(option.safeWhen)}${option.requiresHuman === true ? ' Needs a human.' : ''}`,
      ),
      '',
    ),
    '## Required orchestrator action',
    packet.instructions.map((line, index) => `${String(index + 1)}. ${inline(line)}`).join('\n'),
    '## Artifacts',
    list(block.artifactPaths.map(code), 'None was left.'),
  ].join('\n\n')}\n`;
}
