import * as z from 'zod';
import { actorKinds } from './vocabulary/actors';
import { reasonCategories } from './vocabulary/codes/codes';
import { isoTimeSchema as isoTime, visibleTextSchema as filled } from './record/header';
import { blockKinds, recoveryOutcomes } from './vocabulary/recovery';

/** `MissionBlockMetadata` of seed 000; `signal`, `cancelled`, `code`, `limitEnds` and `goesOnAt` are ours. */
const missionBlockSchema = z.looseObject({
  schemaVersion: z.literal(1),
  timestamp: isoTime,
  reasonCategory: z.enum(reasonCategories),
  kind: z.enum(blockKinds),
  validatorMode: z.enum(['scrutiny', 'user-testing']).optional(),
  failedItemId: filled,
  failedItemTitle: filled,
  missionId: filled,
  /** A plan without milestones is its own single milestone: then this is the plan id. */
  milestoneId: filled,
  /** The plan's task id. */
  featureId: filled.optional(),
  /** Name of the run directory. */
  runId: filled,
  runDir: filled,
  /** 128 + signal number when the process was killed. */
  exitCode: z.number().int(),
  signal: filled.nullable().optional(),
  cancelled: z.boolean().optional(),
  /** The code that status and panel show: one of the 14 contract codes, or one of ours (`shownCodes`). */
  code: filled.optional(),
  /** When the limit of its provider ends. `at`: from a timestamp of its CLI; `said`: the CLI's own words. */
  limitEnds: z.looseObject({ at: isoTime.nullable(), said: z.string().nullable() }).optional(),
  /** When the task goes on by itself, as its approved plan says; absent: it waits for a decision. */
  goesOnAt: isoTime.optional(),
  status: z.string().optional(),
  dirty: z.string().optional(),
  artifactPaths: z.array(filled),
});

/**
 * Recovery packet of seed 000, `.mission-control/missions/<mission_id>/recovery-packets/<packetId>.json` with a
 * Markdown twin. The file is written once, and anew only when a question is put on the packet; the journal records who
 * resolved or superseded it, and why.
 * Rules beyond the shape (exactly five unique outcomes, consistent ids, contained paths): core/packets/packet.
 */
export const recoveryPacketSchema = z.looseObject({
  schemaVersion: z.literal(1),
  packetId: filled.optional(),
  missionId: filled,
  missionTitle: filled,
  status: z.literal('orchestrator_action_required'),
  createdAt: isoTime,
  block: missionBlockSchema,
  /** What a person is asked; absent: nothing. `askedBy` a worker: its text, to be shown and not followed. */
  question: z
    .looseObject({
      text: filled,
      choices: z.array(z.looseObject({ id: filled, text: filled })),
      askedBy: z.looseObject({ kind: z.enum(actorKinds), name: filled }),
      /** What every answer leads to; absent: the choices say it. */
      leadsTo: z.enum(['attempt', 'record']).optional(),
    })
    .optional(),
  /** What mends the block, the likeliest first, as a person types it; absent: nothing that is known. */
  remedies: z.array(z.looseObject({ label: filled, does: filled, command: filled })).optional(),
  dispatch: z.looseObject({
    target: z.literal('dedicated-runtime-orchestrator-session'),
    trigger: z.literal('runner-after-block'),
    runnerWritesPacket: z.literal(true),
    fallback: z.literal('main-chat-display-only'),
    orchestratorSessionRecordPath: filled.optional(),
  }),
  authority: z.looseObject({
    runner: z.array(filled),
    runtimeOrchestrator: z.looseObject({
      mayUseMissionTools: z.literal(true),
      mayReviseMissionMetadata: z.literal(true),
      mayEditRepositoryImplementation: z.literal(false),
      repositoryEditPolicy: z.literal('forbidden-by-default'),
    }),
    mainChat: z.array(filled),
    missionControl: z.literal('read-only-observability'),
  }),
  allowedOutcomes: z
    .array(
      z.looseObject({
        outcome: z.enum(recoveryOutcomes),
        description: filled,
        safeWhen: filled,
        requiresHuman: z.boolean().optional(),
      }),
    )
    .length(5),
  instructions: z.array(filled).min(1),
});
export type RecoveryPacket = z.infer<typeof recoveryPacketSchema>;
