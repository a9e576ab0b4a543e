import type { AttemptContext } from '../../../contracts/taskEvidence';
import { acceptedPlaces } from '../../../core/lifecycle/changes/outstandingRead';
import { foldersOfTask } from '../../../core/confinement/boundary';
import type { ContextRefusal } from '../../../core/context/judgeContext';
import { needsOf, type LockedIntent } from '../../../core/context/tier0';
import { laneOf } from '../../../core/model/lanes';
import { openChanges, rowOf, writablePaths, type Tasks } from '../../../core/model/state';
import type { Outcome, Refusal } from '../../../base/outcome';
import type { Report } from '../../../core/model/inputs';
import type { EnginePorts } from '../../ports/engine';
import { assembleContext } from '../launch/assembleContext';
import { treeOf } from './readTree';
import { standingOf } from './currentPathStates';
import { projectFile } from '../../../contracts/vocabulary/aiProject';
import { detectProject } from '../../../core/project/detect';
import { openFields, projectText } from '../../../core/project/document';
import type { EffectRun } from '../run/effectRun';

/** Freezes the context before the baseline, because that may create ai.project.json, and the sandbox folders. */
export async function takeBaseline(run: EffectRun<'takeBaseline'>): Promise<Report> {
  const { effect, mission, ports } = run;
  const prepared = await prepareContext(run);
  if (!prepared.ok) return prepared.refusal;
  const folders = await makeFolders(mission, effect.task_id, ports);
  const report = await lookAtWorkspace(run, folders);
  if (report.type === 'BaselineWasTaken') {
    const configured = await configuredModel(mission, effect.task_id, ports);
    return {
      ...report,
      ...prepared.value,
      ...(folders.length > 0 && { folders }),
      ...(configured !== null && { configured_model: configured }),
    };
  }
  await ports.folders.removeEmpty(folders);
  return report;
}

type Prepared = Outcome<Pick<Extract<Report, { type: 'BaselineWasTaken' }>, 'context' | 'bootstrapped'>, Report>;

async function prepareContext(run: EffectRun<'takeBaseline'>): Promise<Prepared> {
  const { mission, ports } = run;
  const { task_id, attempt, intent } = run.effect;
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  if (!lane) throw new Error(`No live attempt of task ${task_id}.`);
  const assembled = await assembleContext(run, row.task);
  const refused = (refusal: ContextRefusal, more: { readonly assembled?: AttemptContext | null } = {}): Prepared => ({
    ok: false,
    refusal: { type: 'ContextWasRefused', task_id, attempt, ...refusal, ...more },
  });
  if (!assembled.ok) return refused(assembled.refusal);
  const context = assembled.value ? { context: assembled.value } : {};
  if (!needsOf(intent).bootstrap) return { ok: true, value: context };
  const made = await bootstrapContext(intent, lane.started_at, ports);
  return made.ok
    ? { ok: true, value: { ...context, bootstrapped: made.value } }
    : refused(made.refusal, { assembled: assembled.value });
}

/** Null also for a missing CLI, which the preparation of the launch reports. */
async function configuredModel(mission: Tasks, task_id: string, ports: EnginePorts): Promise<string | null> {
  const { task } = rowOf(mission, task_id);
  if (task.worker === 'command' || task.model !== null) return null;
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
  { effect: { task_id, attempt }, mission, ports }: EffectRun<'takeBaseline'>,
  folders: readonly string[],
): Promise<Report> {
  const failed = ({ code, reason }: Refusal): Report => ({ type: 'BaselineFailed', task_id, attempt, code, reason });
  const row = rowOf(mission, task_id);
  const { scope } = row;
  const taken = await ports.workspace.baseline({
    mission_id: mission.mission_id,
    forbidden_paths: scope.forbidden_paths,
    paths: [...scope.paths, ...folders],
    keep: writablePaths(row),
  });
  if (!taken.ok) return failed(taken.refusal);
  const { manifest_sha256, files, head, clock_ahead_ms } = taken.value;
  const lane = laneOf(mission, task_id);
  const accepted = lane ? acceptedPlaces(mission, lane, ports.paths.scope.comparison) : [];
  const standing = await standingOf([...openChanges(row), ...accepted], [], ports);
  if (!standing.ok) return failed(standing.refusal);
  // Read last, because the validation begins with this content. A later change counts as a change beside the
  // validation.
  const tree = row.task.validator ? await treeOf(mission, row, ports) : null;
  if (tree && !tree.ok) return failed(tree.refusal);
  const found = {
    ...(standing.value.length > 0 && { standing: standing.value }),
    ...(tree && { tree_sha256: tree.value.tree_sha256 }),
    ...(clock_ahead_ms !== undefined && { clock_ahead_ms }),
  };
  return { type: 'BaselineWasTaken', task_id, attempt, manifest_sha256, files, head, ...found };
}

/** Phase 2a; replaces none. Same folder and day, same bytes: so an effect that runs again knows its own file. */
async function bootstrapContext(
  intent: LockedIntent,
  startedAt: string,
  ports: EnginePorts,
): Promise<Outcome<string, ContextRefusal>> {
  const values = detectProject({ ...(await ports.project.surroundings()), today: startedAt });
  const text = projectText(values);
  const made = await ports.project.create(text);
  const open = openFields(values).map(({ name }) => name);
  const written = `${projectFile} written; to be filled in: ${open.join(', ')}`;
  if (made.ok) return { ok: true, value: written };
  const { code, reason } = made.refusal;
  if (code !== 'PROJECT_FILE_EXISTS')
    return { ok: false, refusal: { code: 'MISSING_REQUIRED_INPUT', reason, details: [code] } };
  const there = await ports.project.read(intent);
  const own = there.kind === 'read' && there.text.text === text;
  return { ok: true, value: own ? written : `${projectFile} was there and is left as it is` };
}
