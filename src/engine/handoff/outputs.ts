import { refused } from '../../base/outcome';
import type { MissionHandoff } from '../../contracts/handoff';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import { notAsLeft } from '../../base/fileState';
import { namedAtMost } from '../../base/text/firstNamed';
import { commandLine } from '../../base/text/oneLine';
import { decisionStep } from '../../base/text/steps';
import { diffProblem, pathProblem } from '../../core/handoff/diff';
import { handedOutputs } from '../../core/handoff/import';
import {
  commandFor,
  compareOutputs,
  mustBe,
  type ComparedOutputs,
  type MissingOutput,
} from '../../core/handoff/outputs';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { EnginePorts } from '../ports/engine';
import type { UndoPatch } from '../ports/handoff';
import { exportAgain, type Judged, type ReadHandoff, applyDiffStep, type ResumeRequest } from './reading';

export interface JudgedOutputs {
  readonly found: string;
  readonly notes: readonly string[];
  /** Restores the files when the run does not begin. */
  readonly undo: UndoPatch | null;
}

/** Checks that the outputs of done tasks are in this tree; `apply_diff` first applies the handoff's diff. */
export async function judgeOutputs(
  request: ResumeRequest,
  { given, files, rows }: ReadHandoff,
  plan: ApprovedPlan,
  ports: EnginePorts,
): Promise<Judged<JudgedOutputs>> {
  const outputs = handedOutputs(rows, given);
  const paths = outputs.map(({ path }) => path);
  const look = async (): Promise<ComparedOutputs> => compareOutputs(outputs, given, await ports.handoffs.found(paths));
  const { missing, unrecorded } = await look();
  const inconsistent = (reason: string, ...next: string[]): Judged<never> =>
    refused('LEDGER_INCONSISTENT', reason, ...next);
  const found = foundWords(paths.length - unrecorded.length, unrecorded);
  if (missing.length === 0) return { ok: true, value: { found, notes: [], undo: null } };
  const { base_commit } = given;
  const isThere = base_commit === null || (await ports.workspace.head()) === base_commit;
  const base = isThere ? [] : [`git checkout ${base_commit}`];
  const what = `${missing.length} output(s) of done tasks are not in this tree as they were left: ${listOf(missing)}.`;
  const byHand = [...base, ...stepsByHand(request, given, missing, plan, ports)];
  const diff = files.get(handoffNames.diff);
  const covered = missing.every(({ path }) => given.changes.some((change) => change.path === path && change.in_diff));
  if (!diff || !covered) return inconsistent(`${what} The diff of the handoff does not hold all of them.`, ...byHand);
  const starts = new Map(
    given.changes.flatMap(({ path, before_sha256 }) =>
      before_sha256 === null ? [] : [[path, before_sha256] as const],
    ),
  );
  const tried = await ports.handoffs.tryPatch(diff.bytes, starts);
  const problem = tried.ok && diffProblem(tried.value, given, plan, ports.paths.scope.comparison);
  if (problem) return { ok: false, refusal: { ...problem, next: [unusable(given)] } };
  const file = JSON.stringify(`${request.folder}/${handoffNames.diff}`);
  // It may apply to the commit that it was made from.
  if (!request.apply_diff && (tried.ok || !isThere)) {
    const next = [...base, `git apply ${file}`, `Or: ${applyDiffStep(request)}`];
    return { ok: false, refusal: { code: 'LEDGER_INCONSISTENT', reason: what, next, lacks: 'outputs' } };
  }
  if (!tried.ok) return inconsistent(`${what} ${tried.refusal.reason}`, ...byHand);
  const applied = await ports.handoffs.apply(diff.bytes, starts);
  if (!applied.ok) return inconsistent(`${what} ${applied.refusal.reason}`, ...base, `Look at ${file}.`);
  const still = (await look()).missing;
  if (still.length > 0) {
    const undone = await applied.value();
    const left = `The diff was applied, and still not as they were left: ${listOf(still)}.`;
    return inconsistent(
      undone.ok ? `${left} It was taken back.` : `${left} ${undone.refusal.reason}`,
      ...base,
      unusable(given),
    );
  }
  const notes = [`${tried.value.length} file(s) were written from the diff of the handoff`];
  return { ok: true, value: { found, notes, undo: applied.value } };
}

function foundWords(compared: number, unrecorded: readonly string[]): string {
  const words = `${compared} output(s) in this tree as they were left`;
  if (unrecorded.length === 0) return words;
  return `${words}; not compared, because what they held was not recorded: ${unrecorded.slice(0, listed).join(', ')}`;
}

/** Outputs named in one sentence. */
const listed = 10;

function listOf(missing: readonly MissingOutput[]): string {
  return missing
    .slice(0, listed)
    .map(({ path, left, now }) => `${path} ${notAsLeft(left, now) ?? ''}`)
    .join(', ');
}

function unusable({ mission_id }: MissionHandoff): string {
  return `Do not use this handoff. ${exportAgain(mission_id)}`;
}

/**
 * Gives no command for what no task of the plan may leave so, because a bundle is not trusted. A run that was given away
 * cannot be exported again.
 */
function stepsByHand(
  request: ResumeRequest,
  given: MissionHandoff,
  missing: readonly MissingOutput[],
  plan: ApprovedPlan,
  { paths: { scope } }: EnginePorts,
): readonly string[] {
  const some = missing.slice(0, namedAtMost);
  const command = (one: MissingOutput): string | null =>
    pathProblem(one, plan, scope.comparison) ? null : commandFor(one);
  return [
    `Make these what they must be: ${some.map(mustBe).join(', ')}. SOURCE is the workspace where the run was exported.`,
    ...some.flatMap((one) => command(one) ?? []),
    // Nothing is left to apply then, and the plan may be missing here.
    request.apply_diff
      ? applyDiffStep(request)
      : decisionStep('handoff resume', commandLine([request.folder]).toString()),
    ...(given.moved ? [] : [exportAgain(given.mission_id)]),
  ];
}
