import type { AttemptContext } from '../../../contracts/taskEvidence';
import { acceptedPlaces } from '../../../core/lifecycle/changes/acceptedRead';
import { foldersOfTask } from '../../../core/confinement/folders';
import type { ContextRefusal } from '../../../core/context/judgeContext';
import { needsOf } from '../../../core/context/needs';
import { laneOf } from '../../../core/model/lanes';
import { openChanges, rowOf, writablePaths, type Tasks } from '../../../core/model/state';
import type { Effect } from '../../../core/mission/effects';
import type { Report } from '../../../core/model/inputs';
import type { EnginePorts } from '../../ports/engine';
import { assembleContext } from '../launch/assembleContext';
import { treeOf } from './readTree';
import { standingOf } from './currentPathStates';
import type { SendReport } from '../write/written';
import { projectFile } from '../../../contracts/vocabulary/aiProject';
import type { LockedIntent } from '../../../core/context/tier0';
import { detectProject } from '../../../core/project/detect';
import { openFields, projectText } from '../../../core/project/document';
import type { EffectRun } from '../run/effectRun';

/**
 * Freezes the context, then records the workspace before the worker can touch it. The order matters, because freezing
 * may create ai.project.json, and the sandbox creates folders.
 */
export async function takeBaseline({ effect, mission, ports, send }: EffectRun<'takeBaseline'>): Promise<Report> {
  const prepared = await prepareContext(effect, mission, ports, send);
  if (!prepared.ok) return prepared.report;
  const folders = await makeFolders(mission, effect.task_id, ports);
  const report = await lookAtWorkspace(effect, mission, folders, ports);
  if (report.type === 'BaselineWasTaken') {
    const configured = await configuredModel(mission, effect.task_id, ports);
    return {
      ...report,
      ...prepared.facts,
      ...(folders.length > 0 && { folders }),
      ...(configured !== null && { configured_model: configured }),
    };
  }
  await ports.folders.removeEmpty(folders);
  return report;
}

type Prepared =
  | { readonly ok: true; readonly facts: Pick<BaselineReport, 'context' | 'bootstrapped'> }
  | { readonly ok: false; readonly report: Report };
type BaselineReport = Extract<Report, { type: 'BaselineWasTaken' }>;

async function prepareContext(
  effect: Extract<Effect, { kind: 'takeBaseline' }>,
  mission: Tasks,
  ports: EnginePorts,
  send: SendReport,
): Promise<Prepared> {
  const { task_id, attempt, intent } = effect;
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  if (!row || !lane) throw new Error(`No live attempt of task ${task_id}.`);
  const assembled = await assembleContext(effect, mission, row.task, ports, send);
  const refused = (refusal: ContextRefusal, more: { readonly assembled?: AttemptContext | null } = {}): Prepared => ({
    ok: false,
    report: { type: 'ContextWasRefused', task_id, attempt, ...refusal, ...more },
  });
  if (!assembled.ok) return refused(assembled.refusal);
  const context = assembled.context ? { context: assembled.context } : {};
  if (!needsOf(intent).bootstrap) return { ok: true, facts: context };
  const made = await bootstrapContext(intent, lane.started_at, ports);
  return made.ok
    ? { ok: true, facts: { ...context, bootstrapped: made.note } }
    : refused(made.refusal, { assembled: assembled.context });
}

/**
 * Returns what phase 3 selects from, apart from policy and plan. A missing CLI is reported later, by the preparation of
 * the launch.
 */
async function configuredModel(mission: Tasks, task_id: string, ports: EnginePorts): Promise<string | null> {
  const task = rowOf(mission, task_id)?.task;
  if (!task || task.worker === 'command' || task.model !== null) return null;
  const found = await ports.workers.resolve(task.worker);
  return found.ok ? found.value.default_model : null;
}

/** Makes the folders that the sandbox has to mount; without a sandbox makes no folder. */
async function makeFolders(mission: Tasks, task_id: string, ports: EnginePorts): Promise<readonly string[]> {
  if (mission.confinement === 'off') return [];
  const wanted = foldersOfTask(mission, task_id, ports.paths.scope.comparison);
  if (wanted.length === 0 || (await ports.sandboxes.standing()).kind === 'unavailable') return [];
  return ports.folders.make(wanted);
}

async function lookAtWorkspace(
  effect: Extract<Effect, { kind: 'takeBaseline' }>,
  mission: Tasks,
  folders: readonly string[],
  ports: EnginePorts,
): Promise<Report> {
  const row = rowOf(mission, effect.task_id);
  const scope = row?.scope;
  const taken = await ports.workspace.baseline({
    mission_id: mission.mission_id,
    forbidden_paths: scope?.forbidden_paths ?? [],
    paths: [...(scope?.paths ?? []), ...folders],
    ...(row && { keep: writablePaths(row) }),
  });
  if (!taken.ok)
    return {
      type: 'BaselineFailed',
      task_id: effect.task_id,
      attempt: effect.attempt,
      code: taken.refusal.code,
      reason: taken.refusal.reason,
    };
  const { manifest_sha256, files, head, clock_ahead_ms } = taken.value;
  const { task_id, attempt } = effect;
  const lane = laneOf(mission, task_id);
  const accepted = lane ? acceptedPlaces(mission, lane, ports.paths.scope.comparison) : [];
  const standing = await standingOf([...(row ? openChanges(row) : []), ...accepted], [], ports);
  if (!standing.ok) {
    const { code, reason } = standing.refusal;
    return { type: 'BaselineFailed', task_id, attempt, code, reason };
  }
  // Read last, because the validation begins with this content. A later change counts as a change beside the
  // validation.
  const tree = row?.task.validator ? await treeOf(mission, row, ports) : null;
  if (tree && !tree.ok)
    return { type: 'BaselineFailed', task_id, attempt, code: tree.refusal.code, reason: tree.refusal.reason };
  const found = {
    ...(standing.value.length > 0 && { standing: standing.value }),
    ...(tree && { tree_sha256: tree.value.tree_sha256 }),
    ...(clock_ahead_ms !== undefined && { clock_ahead_ms }),
  };
  return { type: 'BaselineWasTaken', task_id, attempt, manifest_sha256, files, head, ...found };
}

type Bootstrapped =
  | { readonly ok: true; readonly note: string }
  | { readonly ok: false; readonly refusal: ContextRefusal };

/**
 * Phase 2a: creates ai.project.json from what the workspace says; it never replaces one. The same folder and day give
 * the same bytes, so an effect that runs again knows its own file.
 */
async function bootstrapContext(intent: LockedIntent, startedAt: string, ports: EnginePorts): Promise<Bootstrapped> {
  const values = detectProject({ ...(await ports.project.surroundings()), today: startedAt });
  const text = projectText(values);
  const made = await ports.project.create(text);
  const open = openFields(values).map(({ name }) => name);
  const written = `${projectFile} written; to be filled in: ${open.join(', ')}`;
  if (made.ok) return { ok: true, note: written };
  const { code, reason } = made.refusal;
  if (code !== 'PROJECT_FILE_EXISTS')
    return { ok: false, refusal: { code: 'MISSING_REQUIRED_INPUT', reason, details: [code] } };
  const there = await ports.project.read(intent);
  const own = there.kind === 'read' && there.text.text === text;
  return { ok: true, note: own ? written : `${projectFile} was there and is left as it is` };
}
