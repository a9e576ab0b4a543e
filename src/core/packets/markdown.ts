import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import {
  code,
  list,
  inMarkdown,
  paragraphs,
  type MarkdownText,
  type MarkdownValue,
} from '../../base/text/marked/markdown';
import { answerWords, askedSentence, shownCode } from '../../base/text/words';
import { exitNumber } from './blockCode';
import { packetFileName } from './names';

export function packetMarkdown(packet: RecoveryPacket): MarkdownText {
  const { block } = packet;
  const packetId = packet.packetId ?? packetFileName(packet.createdAt, block.runId);
  const shown = block.cancelled === true ? null : shownCode({ code: block.code ?? null });
  const [reported, ...more] = block.status?.split('\n').filter((line) => !machineWords.has(line)) ?? [];
  return inMarkdown`${paragraphs([
    inMarkdown`# Task ${block.failedItemId} ${block.cancelled === true ? 'was stopped' : 'is blocked'}`,
    inMarkdown`Mission ${code(packet.missionId)} ${packet.missionTitle} waits for ${block.goesOnAt === undefined ? 'a decision' : 'the end of a limit'}. Recovery packet ${code(packetId)} of ${packet.createdAt}.`,
    inMarkdown`The task: ${block.failedItemTitle}`,
    inMarkdown`## What happened`,
    inMarkdown`${reported ?? 'Nothing was reported.'}`,
    ...(more.length > 0 ? [list(more, '')] : []),
    inMarkdown`${howItEnded(packet)} Its category is ${code(block.reasonCategory)}${shown === null ? '' : inMarkdown`, its code ${code(shown)}`}. What it left lies in ${code(block.runDir)}.`,
    ...(block.goesOnAt === undefined ? [] : [resumesAtLine(block.goesOnAt)]),
    ...questionWords(packet),
    ...remedyWords(packet),
    inMarkdown`## What can be decided`,
    inMarkdown`Exactly one of these, by a person or by the runtime orchestrator, with a reason. ${code(`mission packet show ${packetId}`)} says which of them are possible now, and how:`,
    list(
      packet.allowedOutcomes.map(
        (option) =>
          inMarkdown`**${option.outcome}**: ${option.description} Safe when: ${option.safeWhen}${option.requiresHuman === true ? inMarkdown` Needs a person.` : ''}`,
      ),
      '',
    ),
    inMarkdown`## Who may do what`,
    list(
      [
        ...packet.authority.runner.map((line) => inMarkdown`The runner: ${lowered(line)}`),
        inMarkdown`The runtime orchestrator may use the mission tools and revise mission metadata. ${editWords[packet.authority.runtimeOrchestrator.repositoryEditPolicy]}`,
        ...packet.authority.mainChat.map(
          (line) => inMarkdown`A person, in a terminal or in the editor: ${lowered(line)}`,
        ),
        missionControlWords[packet.authority.missionControl],
        fallbackWords[packet.dispatch.fallback],
      ],
      '',
    ),
    inMarkdown`## What the orchestrator does`,
    inMarkdown.lines(packet.instructions.map((line, index) => inMarkdown`${index + 1}. ${line}`)),
    inMarkdown`## Files to look at`,
    list(block.artifactPaths.map(code), 'None was left.'),
  ])}\n`;
}

function questionWords({ packetId, missionId, block, question }: RecoveryPacket): readonly MarkdownText[] {
  if (!question) return [];
  const asked = packetId === undefined ? ['--task', block.failedItemId] : ['--packet', packetId];
  const how = ['mission answer', missionId, ...asked];
  const then = answerWords(question.leadsTo);
  const answers = question.choices.length === 0 ? '--text TEXT' : '--choice ID';
  return [
    inMarkdown`## What is asked`,
    inMarkdown`${askedSentence({ task_id: block.failedItemId, question: { text: question.text, asked_by: question.askedBy } })}`,
    ...(question.choices.length === 0
      ? []
      : [
          list(
            question.choices.map(({ id, text }) => inMarkdown`${code(id)}: ${text}`),
            '',
          ),
        ]),
    inMarkdown`A person answers with ${code('Mission Control: Answer Question')} or ${code([...how, answers, '--by NAME --reason TEXT'].join(' '))}.${then === null ? '' : inMarkdown` ${then}`}`,
  ];
}

function remedyWords({ remedies = [] }: RecoveryPacket): readonly MarkdownText[] {
  if (remedies.length === 0) return [];
  return [
    inMarkdown`## What helps`,
    list(
      remedies.map(({ label, does, command }) => inMarkdown`**${label}**: ${does} ${code(command)}`),
      '',
    ),
  ];
}

function resumesAtLine(at: string): MarkdownText {
  return inMarkdown`The task goes on by itself at ${at}, because its approved plan says so (${code('execution.recovery.after_limit')}). Nothing goes on while no process runs the mission. A person may decide before; ${code('leave-blocked')} and a pause end the wait.`;
}

function howItEnded({ block }: RecoveryPacket): MarkdownValue {
  const what = block.kind === 'worker' ? 'worker' : block.validatorMode === undefined ? 'verify command' : 'validator';
  if (block.cancelled === true) return inMarkdown`A person stopped the ${what}.`;
  if (block.signal !== undefined && block.signal !== null)
    return inMarkdown`The ${what} ended with the signal ${block.signal}.`;
  if (block.exitCode === exitNumber(null, null)) return inMarkdown`No exit code of the ${what} is recorded here.`;
  return inMarkdown`The exit code of the ${what} is ${String(block.exitCode)}.`;
}

function lowered(line: string): string {
  return `${line.slice(0, 1).toLowerCase()}${line.slice(1)}`;
}

/** Words in the packet's status that are for programs. */
const machineWords: ReadonlySet<string> = new Set([
  'stopped_by_human',
  'tree_not_gone',
  'permission_recovery',
  'model_policy',
]);

const editWords: Readonly<Record<RecoveryPacket['authority']['runtimeOrchestrator']['repositoryEditPolicy'], string>> =
  { 'forbidden-by-default': 'It may not edit the repository.' };

const missionControlWords: Readonly<Record<RecoveryPacket['authority']['missionControl'], string>> = {
  'read-only-observability': 'Mission Control shows it and changes nothing.',
};

const fallbackWords: Readonly<Record<RecoveryPacket['dispatch']['fallback'], string>> = {
  'main-chat-display-only': 'Where no orchestrator runs, this is for display only: a person decides.',
};
