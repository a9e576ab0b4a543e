import { movedCode } from '../../contracts/vocabulary/handoff';
import type { HandoffRefusalCode } from './checks';
import { commandLine } from '../../base/text/oneLine';
import { decisionStep } from '../../base/text/steps';
import { givenAwayRefusal, notTakenSince, runsElsewhere } from '../../core/mission/givenAway';
import type { Judged, ReadHandoff } from './reading';
import { MissionReader } from '../views/reader';
import type { ResumeRequest } from './request';
import type { EnginePorts } from '../ports/engine';
import { missionIdOf } from '../mission/start';

/** Says whether this run may continue here, and as which mission. */
export async function takenOver(
  { actor, reason, folder }: ResumeRequest,
  { bundle, given, bundle_sha256 }: ReadHandoff,
  ports: EnginePorts,
): Promise<Judged<{ readonly mission_id: string }>> {
  const refuse = (code: HandoffRefusalCode, why: string, ...next: string[]): Judged<never> => ({
    ok: false,
    refusal: { code, reason: why, next },
  });
  const { missions } = await new MissionReader(ports.journal).read();
  const same = missions.map(({ mission }) => mission).filter(({ run_id }) => run_id === bundle.run_id);
  const again = same.find(({ resumed_from }) => resumed_from?.bundle_sha256 === bundle_sha256);
  const open = same.find(({ execution }) => execution !== 'REPORTED');
  if (open?.ending)
    return refuse(
      'MISSION_OPEN',
      `Mission ${open.mission_id} of this run has ended here; not all of its evidence is written yet.`,
      `mission status ${open.mission_id}`,
      decisionStep('resume', open.mission_id),
    );
  if (open)
    return refuse(
      'MISSION_OPEN',
      `Mission ${open.mission_id} of this run has not ended here.`,
      `mission status ${open.mission_id}`,
    );
  const away = notTakenSince(given.decisions, runsElsewhere(same));
  if (away) return { ok: false, refusal: givenAwayRefusal(away) };
  if (again)
    return refuse(
      'MISSION_CLOSED',
      `Mission ${again.mission_id} has gone on from this handoff before.`,
      `mission status ${again.mission_id}`,
    );
  const ended = same.find(({ ending }) => ending?.code !== movedCode);
  if (ended)
    return refuse(
      'MISSION_CLOSED',
      `Run ${bundle.run_id} has ended here as ${ended.mission_id}.`,
      `mission status ${ended.mission_id}`,
    );
  // Asked last, because a person cannot take over what is refused above.
  if (!given.moved && (reason === null || actor.kind !== 'human'))
    return refuse(
      'HUMAN_ONLY',
      'The run may still go on where it was exported, because this handoff did not give it away. Only a person takes it over here.',
      decisionStep('handoff resume', commandLine([folder]).toString()),
      `Or give it away there: ${decisionStep('handoff export', given.mission_id, '--move')}`,
    );
  const streams = new Set((await ports.journal.streams()).map(({ stream }) => stream));
  return {
    ok: true,
    value: {
      mission_id: streams.has(given.mission_id)
        ? missionIdOf(given.plan_id, ports.clock.now(), ports.ids.base36(6))
        : given.mission_id,
    },
  };
}
