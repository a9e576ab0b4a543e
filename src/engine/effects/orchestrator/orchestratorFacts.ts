import type { OrchestratorResult } from '../../../contracts/orchestratorTools';
import { recoveryPacketSchema } from '../../../contracts/recoveryPacket';
import { runFiles } from '../../../contracts/launch';
import { attemptsOf } from '../../../core/mission/handoff/handoffs';
import { missionStatus } from '../../../core/mission/status';
import { baseName } from '../../../core/packets/names';
import type { Session } from '../../../core/model/session';
import {
  categoryOf,
  type Course,
  type Packet,
  packetOf,
  type Progress,
  type TaskRow,
  type Tasks,
} from '../../../core/model/state';
import type { EnginePorts } from '../../ports/engine';

/** Keeps facts that Mission Control knows apart from texts of others. */
export function missionFacts(mission: Progress, session: Session): OrchestratorResult {
  return {
    facts: {
      mission_id: mission.mission_id,
      plan_id: mission.plan.plan_id,
      status: missionStatus(mission),
      packet_id: session.packet_id,
      task_id: session.task_id,
      decided: session.choice?.outcome ?? null,
      ...tasksOf(mission, session),
    },
    untrusted: within(
      room.reasons,
      ownFirst(mission, session)
        .filter(({ reason }) => reason !== '')
        .slice(0, 50)
        .map((row) => ({ source: `why task ${row.task.task_id} is ${row.status}`, text: bounded(row.reason) })),
    ),
  };
}

/** The tasks of the plan, shortened where they would not fit into an answer; the task of the session comes first. */
function tasksOf(mission: Tasks, session: Session): OrchestratorResult['facts'] {
  const tasks = mission.rows.map((row) => ({
    ...inShort(row),
    description: row.task.description,
    worker: row.task.worker,
    depends_on: row.task.depends_on,
    paths: row.task.paths,
  }));
  if (JSON.stringify(tasks).length <= room.tasks) return { tasks };
  const short = within(room.tasks, ownFirst(mission, session).map(inShort));
  return { tasks: short, tasks_left_out: mission.rows.length - short.length };
}

function inShort(row: TaskRow): Readonly<Record<'task_id' | 'status' | 'code' | 'attempts', unknown>> {
  return { task_id: row.task.task_id, status: row.status, code: row.code, attempts: attemptsOf(row) };
}

function ownFirst({ rows }: Tasks, { task_id }: Session): readonly TaskRow[] {
  const own = (row: TaskRow): number => (row.task.task_id === task_id ? 0 : 1);
  return rows.toSorted((left, right) => own(left) - own(right));
}

/** Code units of JSON. Each takes at most three bytes, so both parts together fit into `orchestratorLimits.answer`. */
const room = { tasks: 48_000, reasons: 30_000 } as const;

/** Returns the first entries that fit together. */
function within<T>(units: number, entries: readonly T[]): readonly T[] {
  let left = units;
  return entries.filter((entry) => {
    left -= JSON.stringify(entry).length;
    return left >= 0;
  });
}

/** The packet of the session, with the names of its artifacts; what the worker or git said is kept apart. */
export async function packetFactsOf(
  mission: Progress,
  session: Session,
  ports: EnginePorts,
): Promise<OrchestratorResult & { readonly artifacts: readonly string[] }> {
  const packet = packetOf(mission, session.packet_id);
  const document = await readPacket(packet, ports);
  const block = document?.block;
  const artifacts = (block?.artifactPaths ?? []).map(baseName);
  const said = [
    ['reported status', block?.status],
    ['changed paths', block?.dirty],
  ].flatMap(([source, text]) => (source !== undefined && text ? [{ source, text: bounded(text) }] : []));
  return {
    artifacts,
    facts: {
      packet_id: packet.packet_id,
      task_id: packet.task_id,
      attempt: packet.attempt,
      reason_category: categoryOf(mission, packet),
      exit_code: block?.exitCode ?? null,
      signal: block?.signal ?? null,
      code: block?.code ?? null,
      kind: block?.kind ?? null,
      issued_at: packet.issued_at,
      instructions: document?.instructions ?? [],
      allowed_outcomes: document?.allowedOutcomes ?? [],
      artifacts,
    },
    untrusted: said,
  };
}

/** A page of an artifact of the packet by its name; null: the packet has no artifact of that name. */
export async function artifactOf(
  mission: Course,
  session: Session,
  { name, offset, limit }: { readonly name: string; readonly offset: number; readonly limit: number },
  ports: EnginePorts,
): Promise<OrchestratorResult | null> {
  const document = await readPacket(packetOf(mission, session.packet_id), ports);
  const path = document?.block.artifactPaths.find((one) => baseName(one) === name);
  const page = path === undefined ? null : await ports.orchestrator.page(path, offset, limit);
  if (!page) return null;
  const { text, bytes, next_offset } = page;
  return { facts: { name, bytes, offset, next_offset }, untrusted: [{ source: name, text }] };
}

/** Returns the part of the artifacts that the prompt shows: the last bytes of the most telling ones. */
export async function firstLook(
  mission: Course,
  session: Session,
  ports: EnginePorts,
): Promise<OrchestratorResult['untrusted']> {
  const found = [];
  for (const name of [runFiles.stderr, runFiles.exit]) {
    const whole = await artifactOf(mission, session, { name, offset: 0, limit: 1 }, ports);
    const bytes = Number(whole?.facts['bytes'] ?? 0);
    const offset = Math.max(0, bytes - shown);
    const page = bytes === 0 ? null : await artifactOf(mission, session, { name, offset, limit: shown }, ports);
    const [text] = page?.untrusted ?? [];
    if (text) found.push({ source: offset === 0 ? name : `the end of ${name}`, text: text.text });
  }
  return found;
}

/** Bytes of an artifact in the prompt. */
const shown = 4096;

async function readPacket(
  { written }: Packet,
  ports: EnginePorts,
): Promise<ReturnType<typeof recoveryPacketSchema.parse> | null> {
  const file = written ? await ports.evidence.read(written.path) : null;
  // Another digest than the journalled one means that the runner did not write this file.
  if (!file?.ok || !file.value || file.value.sha256 !== written?.sha256) return null;
  const parsed = recoveryPacketSchema.safeParse(JSON.parse(file.value.text));
  return parsed.success ? parsed.data : null;
}

function bounded(text: string): string {
  return text.length > 8192 ? `${text.slice(0, 8192)} ...` : text;
}
