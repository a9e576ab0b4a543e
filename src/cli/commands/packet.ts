import { answerText } from '../../base/text/words';
import { filesHere, unknownMission } from '../show/find';
import { possibleSteps } from '../../contracts/page/blockView';
import { recoveryOutcomes } from '../../contracts/vocabulary/recovery';
import { choiceLines } from '../show/missionResult';
import { printJudged } from '../show/findings';
import { closedLine, quotedLines, readPacketFiles, type PacketFiles } from '../show/packetFiles';
import type { Packet } from '../../core/model/state';
import { isInterrupted } from '../../core/view/mission/interrupted';
import type { MissionView } from '../../contracts/page/missionView';
import { decidedElsewhere } from '../../core/view/mission/decidedElsewhere';
import { missionView } from '../../core/view/mission/missionView';
import { revisionText } from '../../core/view/plan/approvalView';
import { MissionReader, type ReadMission } from '../../engine/views/reader';
import { done, refused, type Outcome } from '../../base/outcome';
import { optional, required, UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes } from '../shell/output';
import { humanCommand } from '../owner/decide';
import { foundHere, looking, workerOptions } from '../owner/session';
import type { EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import { decisionNeeds, decisionOptions } from './human';
import { decisionStep, stepLines } from '../../base/text/steps';
import { inColumns, terminal, type TerminalText } from '../../base/text/marked/terminal';
import { utcText } from '../../base/text/amounts';

type FoundPacket = ReturnType<typeof packetsOf>[number];
type Found = FoundPacket & Pick<Packets, 'owned'>;

export const packetList: Command = {
  takes: [optional.mission],
  summary: 'List recovery packets.',
  options: { all: { help: 'Also resolved and superseded ones.' } },
  async run(call) {
    const { out } = call;
    const read = await readPackets(call.workspace);
    if (!read.ok) return out.refuse(read.refusal);
    const all = read.value;
    const [wanted] = call.positionals;
    const isWanted = (one: { readonly mission_id: string | null; readonly plan_id: string }): boolean =>
      wanted === undefined || wanted === one.plan_id || wanted === one.mission_id;
    const found = all.found.filter(isWanted);
    if (wanted !== undefined && !all.missions.some((ids) => ids.includes(wanted)) && found.length === 0)
      return out.refuse(unknownMission(wanted).refusal);
    const ofMission = all.packets.filter(isWanted);
    const chosen = call.flag('all') ? ofMission : ofMission.filter(({ packet }) => packet.state.kind === 'open');
    const onDisk = found.flatMap(({ packets }) => packets);
    out.document({ packets: chosen.map(packetDocument), found: onDisk });
    if (chosen.length + onDisk.length === 0) out.line(noneLine(ofMission.length));
    for (const line of inColumns(
      chosen.map(({ packet, reason }) => [packet.packet_id, stateText(packet), packet.task_id, reason]),
    ))
      out.line(line);
    const rows = onDisk.map(({ packet_id, task_id, reason }) => [
      packet_id,
      'not in the journal here',
      task_id,
      reason,
    ]);
    for (const line of inColumns(rows)) out.line(line);
    for (const step of found.flatMap(({ packets, next }) => (packets.length > 0 ? next : [])))
      out.line(terminal`  next: ${step}`);
    return exitCodes.ok;
  },
};

export const packetShow: Command = {
  takes: [required.packet],
  summary: 'Show a recovery packet.',
  async run(call) {
    const { out } = call;
    const read = await readPacket(call);
    // The runner may have written it anew since the journal was read.
    const again = read.ok && read.value.files?.findings.length ? await readPacket(call) : read;
    if (!again.ok) return out.refuse(again.refusal);
    const { found, files } = again.value;
    const { packet } = found;
    const here = filesHere(found.view());
    if (!here.ok) return out.refuse(here.refusal);
    if (packet.written === null)
      return out.refuse({
        code: 'PACKET_UNKNOWN',
        reason: 'The packet was issued and is not written yet.',
        next: [found.owned ? `mission status ${found.mission_id}` : decisionStep('resume', found.mission_id)],
      });
    if (files === null)
      return out.refuse({
        code: 'EVIDENCE_MISSING',
        reason: `${packet.written.path} cannot be read.`,
        next: [`mission status ${found.mission_id}`],
      });
    for (const finding of files.findings) printJudged(finding, [finding.file], [finding.message], out);
    const isChanged = files.findings.some(({ severity }) => severity === 'error');
    // The lines are the document's, and what they hold is shown escaped. A no-break space is a blank of the Markdown that
    // begins a line.
    const text = files.text.trimEnd().replaceAll('\u00a0', ' ');
    const block = found.block();
    const closed = block ? null : closedLine(packet);
    const first = closed ? [closed, terminal``] : [];
    for (const line of block ? choiceLines(block, found.interrupted) : first) out.line(line);
    for (const line of quotedLines(text, isChanged ? 'changed' : closed ? 'closed' : 'open')) out.line(line);
    out.line();
    if (packet.answer)
      out.line(
        terminal`Answered by ${packet.answer.decision.actor.name} at ${utcText(packet.answer.decision.at)}: ${answerText(packet.answer)}`,
      );
    for (const revision of found.revisions) out.line(terminal`Revised: ${revisionText(revision)}`);
    out.line(terminal`State: ${block?.decided ?? stateText(packet)}`);
    out.line(terminal`File: ${packet.written.path}`);
    if (!block) out.line(terminal`  next: mission status ${found.mission_id}`);
    out.document({
      ...packetDocument(found),
      ...(block && { ways: block.ways }),
      packet: files.value,
      findings: files.findings,
    });
    return isChanged ? exitCodes.failed : exitCodes.ok;
  },
};

export const packetResolve: Command = {
  usage: 'ID --outcome OUTCOME',
  takes: [required.packet],
  summary: 'Resolve a recovery packet with one of its five outcomes.',
  details: [
    'resume is for a task that was stopped, or that nothing could run;',
    'ask-user puts a question on the packet, which stays open until `mission answer`.',
  ],
  options: {
    outcome: { value: 'OUTCOME', help: `What happens now: ${recoveryOutcomes.join(', ')}.` },
    question: { value: 'TEXT', help: 'What is asked, with ask-user.' },
    choice: { value: 'TEXT', multiple: true, help: 'One of its choices; without any the answer is in words.' },
    ...decisionOptions,
    ...workerOptions,
  },
  needs: ['outcome', ...decisionNeeds],
  async run(call) {
    const given = call.text('outcome') ?? '';
    const outcome = recoveryOutcomes.find((candidate) => candidate === given);
    if (outcome === undefined) throw new UsageError(`--outcome ${given}: it is one of ${recoveryOutcomes.join(', ')}.`);
    const found = await findPacket(call);
    if (!found.ok) return call.out.refuse(found.refusal);
    const { mission_id, packet } = found.value;
    const question = call.text('question');
    const choices = call.texts('choice');
    return humanCommand(call, {
      mission_id,
      command: {
        type: 'ResolvePacket',
        packet_id: packet.packet_id,
        outcome,
        ...(question !== null && { question }),
        ...(choices.length > 0 && { choices }),
      },
      then: outcome === 'leave-blocked' ? 'record' : outcome === 'ask-user' ? 'finish' : 'run',
    });
  },
};

function noneLine(closed: number): TerminalText {
  if (closed === 0) return terminal`No recovery packets.`;
  return terminal`No open recovery packets; --all shows ${closed} that ${closed === 1 ? 'is' : 'are'} closed.`;
}

interface Packets {
  readonly packets: readonly FoundPacket[];
  /** Mission id and plan id of each mission. */
  readonly missions: readonly (readonly string[])[];
  /** An owner is running, so a resume would be refused. */
  readonly owned: boolean;
  /** Missions that the journal does not know. */
  readonly found: readonly EvidenceOfFolder[];
}

function readPackets(workspace: string): Promise<Outcome<Packets>> {
  return looking(workspace, async (viewer) => {
    const missions = viewer ? (await new MissionReader(viewer.missions).read()).missions : [];
    const owned = (await viewer?.isOwned()) === true;
    return {
      packets: missions.flatMap((one) => packetsOf(one, owned)),
      missions: missions.map(({ mission }) => [mission.mission_id, mission.plan.plan_id]),
      owned,
      found: await foundHere(
        workspace,
        missions.map(({ mission }) => mission.plan),
      ),
    };
  });
}

export async function findPacket({ workspace, positionals: [wanted = ''] }: Invocation): Promise<Outcome<Found>> {
  const all = await readPackets(workspace);
  if (!all.ok) return all;
  const { packets, found, owned } = all.value;
  const known = packets.find(({ packet }) => packet.packet_id === wanted);
  if (known) return done({ ...known, owned });
  const onDisk = found.flatMap((one) =>
    one.packets.map(({ packet_id, path }) => ({ packet_id, path, next: one.next })),
  );
  const lost = onDisk.find(({ packet_id }) => packet_id === wanted);
  const reason = lost
    ? `The journal here does not know packet ${wanted}. It lies in ${lost.path}.`
    : `There is no packet ${wanted} in this workspace.`;
  return refused('PACKET_UNKNOWN', reason, ...(lost?.next ?? []), 'mission packet list');
}

async function readPacket(
  call: Invocation,
): Promise<Outcome<{ readonly found: Found; readonly files: PacketFiles | null }>> {
  const found = await findPacket(call);
  return found.ok
    ? done({ found: found.value, files: await readPacketFiles(call.workspace, found.value.packet) })
    : found;
}

function packetsOf(read: ReadMission, owned: boolean) {
  const { mission, place } = read;
  const runs = place ? place.state === 'running' : owned;
  const view = (): MissionView => decidedElsewhere(missionView(mission, [], new Map(), runs), read);
  return mission.packets.map((packet) => {
    const row = mission.rows.find(({ task }) => task.task_id === packet.task_id);
    const failure = row?.attempts.find(({ attempt }) => attempt === packet.attempt)?.failure ?? null;
    return {
      mission_id: mission.mission_id,
      plan_id: mission.plan.plan_id,
      packet,
      revisions: row?.revisions.filter(({ packet_id }) => packet_id === packet.packet_id) ?? [],
      reason: failure?.reason ?? row?.reason ?? '',
      code: row?.code ?? null,
      /** The block as it stands; undefined: its task is not blocked by it now. Made only where it is shown. */
      block: () => view().blocks.find(({ packet_id }) => packet_id === packet.packet_id),
      interrupted: isInterrupted(mission, runs),
      view,
    };
  });
}

function packetDocument({ mission_id, packet, revisions, reason, code, block }: FoundPacket): object {
  const { state } = packet;
  const stands = block();
  return {
    packet_id: packet.packet_id,
    mission_id,
    task_id: packet.task_id,
    attempt: packet.attempt,
    state: state.kind,
    ...(state.kind === 'resolved' && {
      outcome: state.outcome,
      resolved_by: state.decision.actor.name,
      resolved_at: state.decision.at,
      resolution_reason: state.decision.reason,
    }),
    code,
    reason,
    issued_at: packet.issued_at,
    ...(revisions.length > 0 && { changes: revisions }),
    ...(packet.question && { question: packet.question, answer: packet.answer }),
    path: packet.written?.path ?? null,
    ...(stands?.decided !== undefined && { decided: stands.decided }),
    ...(stands && { next: stepLines(possibleSteps(stands)) }),
  };
}

function stateText({ state }: Packet): string {
  if (state.kind !== 'resolved') return state.kind;
  const { name } = state.decision.actor;
  return state.outcome === 'leave-blocked' ? `left blocked by ${name}` : `resolved: ${state.outcome} by ${name}`;
}
