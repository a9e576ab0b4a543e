import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { AttemptFailure } from '../../model/facts';
import { ranBeside, verifiesBeside } from '../../model/lanes';
import type { Attempt } from '../../model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../model/state';
import { byRepository, placeKey, undoes } from '../../observation/outstanding';
import { blocks, leadsOutReason, linkedReason } from '../../observation/attribute';
import { proofIn, type Proof } from '../../observation/proofOfAuthor';
import type { Change } from '../../observation/change';
import type { ChangedPlace } from '../../observation/writablePlaces';
import { likelyMakers, signLines } from '../../observation/likelyMakers';
import { within } from '../../paths/compare';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import { announcedBy } from '../parts/announced';
import { proofsOf } from '../changes/attributeChanges';
import { isKeptFrom, reachesOf } from '../changes/launchReach';
import { isOfPlan, planDiffers } from '../parts/planWait';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';
import { declaredIntent } from '../../context/tier0';
import { scratchOf } from '../changes/reliedOn';

/** When the locked plan is the only file changed out of scope, `judgePlanHash` judges it. */
export function judgeScope(facts: Judged): AttemptFailure | null {
  const { mission, attempt } = facts;
  const violations = attempt.observed?.changes.filter((change) => change.violation !== null) ?? [];
  if (violations.every((change) => change.path === mission.plan_path) && judgePlanHash(facts)) return null;
  if (violations.length === 0) return null;
  const beside = besideLines(mission, attempt, violations);
  return {
    kind: 'structural',
    code: 'SCOPE_VIOLATION',
    reason: `${violationWords(mission, attempt, violations)} Nothing was reverted.`,
    details: [
      ...firstLines(
        violations.map((change) => `${change.kind} ${change.path}: ${change.violation ?? ''}`),
        taskFile(attempt.task_id),
      ),
      ...beside,
    ],
  };
}

/** Names the worker for what it announced alone: what else fails the mission may come from another program. */
function violationWords(mission: Tasks, attempt: Attempt, violations: readonly Change[]): string {
  const announced = announcedBy(attempt, violations);
  const own = violations.filter((change) => announced.has(change));
  const who = besideLines(mission, attempt, own).length === 0 ? 'The worker' : 'The worker, or one beside it,';
  const said = `${who} changed ${namesOf(own)} outside the approved paths of its task.`;
  const seen = violations.filter((change) => !announced.has(change));
  if (seen.length === 0) return said;
  const found = `${namesOf(seen)} changed while task ${attempt.task_id} ran. Only time and place show who changed it. It fails the mission, because ${whyFails(mission, attempt, seen)}.`;
  return own.length === 0 ? found : `${said} ${found}`;
}

function whyFails(mission: Tasks, attempt: Attempt, seen: readonly Change[]): string {
  const comparison = attempt.observed?.comparison;
  const proofs = new Set(comparison && seen.map(proofIn(proofsOf(mission, attempt, comparison))));
  const [only] = proofs;
  if (proofs.size === 1 && only && only !== 'way_out') return proofWords[only];
  const [first] = seen;
  return `${seen.length === 1 ? 'it' : (first?.path ?? '')} ${first?.violation ?? ''}`;
}

const proofWords: { readonly [P in Exclude<Proof, 'way_out'>]: string } = {
  planted: 'git would use what was planted',
  claimed: 'the result names it',
  let_by_sandbox: 'the sandbox let the worker write in paths of another task',
};

function namesOf(changes: readonly Change[]): string {
  return fewNamed(changes.map(({ path }) => path));
}

/** The plan was changed beyond doubt by the task's own worker; for any other change of it the attempt waits. */
export function judgePlanHash({ mission, attempt }: Judged): AttemptFailure | null {
  const own = (attempt.observed?.changes ?? []).filter(
    (change) => change.violation !== null && isOfPlan(mission, change),
  );
  if (own.length === 0 || !planDiffers(mission, attempt)) return null;
  return {
    kind: 'structural',
    code: 'PLAN_HASH_MISMATCH',
    reason: `${planChanger(attempt, own)}; success can not be recorded against another plan.`,
    details: [`locked ${mission.plan_sha256}`, `observed ${attempt.plan_sha256_observed ?? 'no readable file'}`],
  };
}

function planChanger(attempt: Attempt, own: readonly Change[]): string {
  return announcedBy(attempt, own).size > 0
    ? 'The worker changed the plan file'
    : 'The plan file changed while the worker ran, and nothing shows who changed it';
}

export function judgeAttribution({ mission, attempt }: Judged): AttemptFailure | null {
  const unknown = unattributed(mission, attempt);
  if (unknown.length === 0) return null;
  const doubts = unknown.filter(({ attribution, doubt }) => attribution !== 'worker' && doubt !== undefined);
  return recoverable(
    'external_change',
    `${fewNamed(byRepository(unknown.map(({ path }) => path)))} ${leadOut(unknown) ?? `changed ${whenOf(mission, attempt, unknown)}`}`,
    [
      ...(attempt.breach_stray
        ? [
            'The worker was stopped once two looks ten seconds apart had shown this, because no sandbox keeps it inside its approved paths.',
          ]
        : []),
      ...unattributedLines(mission, attempt),
      ...verifyLines(mission, attempt),
      ...(doubts.length > 0 ? besideLines(mission, attempt, doubts) : []),
      ...likelyMakers(doubts.filter((change) => !isOpenToItAlone(mission, attempt, change))),
      ...signLines(attempt.observed?.signs ?? [], new Set(doubts.map(({ path }) => path))),
    ],
  );
}

/** Says of links what they do, because a sandbox held their task; null: there are other changes. */
function leadOut(unknown: readonly Change[]): string | null {
  if (unknown.every(({ doubt }) => doubt === linkedReason))
    return `${unknown.length === 1 ? linkedReason : linkedReason.replace('is a hard link', 'are hard links')}. A person decides what stays.`;
  if (!unknown.every(({ doubt, ...change }) => doubt !== undefined && doubt === leadsOutReason(change))) return null;
  const subject = unknown.length === 1 ? 'leads' : 'lead';
  const isOut = unknown.every(({ doubt = '' }) => doubt.startsWith('leads out'));
  return `${subject} ${isOut ? 'out of the workspace' : 'where no task may write'}. The sandbox let nothing be written behind that; a person decides what stays.`;
}

/**
 * Returns whether of all launches only its own could make it: in their paths, held by a sandbox, with none beside. No
 * sandbox lets a launch make a hard link there.
 */
function isOpenToItAlone(mission: Tasks, attempt: Attempt, { path, linked }: Change): boolean {
  const paths = rowOf(mission, attempt.task_id).scope.paths;
  const isHeld = !linked && within(path, paths, attempt.observed?.comparison) && reachesOf(mission, attempt).length > 0;
  return isHeld && ranBeside(mission, attempt).length === 0 && verifiesBeside(mission, attempt).length === 0;
}

function whenOf(mission: Tasks, attempt: Attempt, unknown: readonly Change[]): string {
  const { task_id, intervention, observed } = attempt;
  if (unknown.every(({ attribution }) => attribution === 'worker'))
    return `in the layer of task ${task_id}, where no task may write. Nothing of it is in the workspace; a person decides what stays.`;
  if (intervention) return `outside its approved paths while a person completed the result of task ${task_id}.`;
  if (unknown.every(({ doubt }) => doubt !== undefined)) {
    const paths = rowOf(mission, task_id).scope.paths;
    // A repository of its own in an approved folder, such as `cargo new` makes.
    const isInside = unknown.every(({ kind, path }) => kind === 'git' && within(path, paths, observed?.comparison));
    const [made, ...more] = isInside ? newRepositories(unknown) : [];
    if (
      made !== undefined &&
      more.length === 0 &&
      unknown.every((change) => isOpenToItAlone(mission, attempt, change) && within(change.path, [made]))
    )
      return `there, because ${task_id} made a repository of its own in ${made}/. Git may run what stands there, so a person decides what stays.`;
    const where = isInside
      ? 'in the approved paths while the worker ran. Git may run what stands there, so a person decides what stays.'
      : 'outside the approved paths while the worker ran.';
    return unknown.every((change) => isOpenToItAlone(mission, attempt, change))
      ? `${where} Of this mission only the worker of ${task_id} could write there; a program outside its sandbox could too.`
      : `${where} Nothing shows who changed it.`;
  }
  return unknown.every(({ by_others }) => by_others)
    ? 'during the attempt. Others did it, because its sandbox kept the worker from there; the mission relies on it.'
    : 'during the attempt. Neither the worker nor a save in VS Code is known to have made it.';
}

/** Names the folders in which a repository was made, which had no HEAD before. */
function newRepositories(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ path, before_sha256 }) => {
    const folder = /^(.+)\/\.git\/HEAD$/.exec(path)?.[1];
    return folder !== undefined && before_sha256 === null ? [folder] : [];
  });
}

/** Changes of unknown origin, or relied on; without what undoes an earlier block, or in a validation is accepted. */
export function unattributed(mission: Tasks, attempt: Attempt): readonly Change[] {
  const row = rowOf(mission, attempt.task_id);
  const gone = goneIn(row, attempt);
  const accepted = attempt.validates ? acceptedOf(row) : new Set();
  return (attempt.observed?.changes ?? []).filter(
    (change) => blocks(change) && !gone.some((entry) => undoes(change, entry)) && !accepted.has(bytesKey(change)),
  );
}

export function unattributedLines(mission: Tasks, attempt: Attempt): readonly string[] {
  const found = unattributed(mission, attempt).map(
    ({ kind, path, relied_on, doubt = relied_on }) => `${kind} ${path}${doubt === undefined ? '' : `: ${doubt}`}`,
  );
  return firstLines(found, taskFile(attempt.task_id));
}

/** Returns what had blocked an earlier attempt and was found gone in this one. */
function goneIn(row: TaskRow, { attempt }: Attempt): readonly Outstanding[] {
  return row.outstanding.filter(({ settled }) => settled?.how === 'gone' && settled.attempt === attempt);
}

function acceptedOf({ outstanding }: TaskRow): ReadonlySet<string> {
  return new Set(
    outstanding
      .filter(({ settled }) => settled?.how === 'accepted')
      .map((entry) => bytesKey({ ...entry, after_sha256: entry.found_sha256 })),
  );
}

function bytesKey(change: Parameters<typeof placeKey>[0] & Pick<Change, 'after_sha256'>): string {
  return `${placeKey(change)}\0${change.after_sha256?.toUpperCase() ?? ''}`;
}

/** Names the tasks that ran at the same time, which may have written outside their locks. A sandbox kept others from it. */
export function besideLines(mission: Tasks, attempt: Attempt, changes: readonly ChangedPlace[]): readonly string[] {
  const able = ranBeside(mission, attempt).filter(
    ({ attempt: other }) => !isKeptFrom(other, changes, attempt.observed?.comparison),
  );
  const tasks = new Set(able.map(({ row }) => row.task.task_id));
  const all = [attempt.task_id, ...tasks].join(', ');
  return tasks.size === 0
    ? []
    : [`by one of ${all}, or another program: they ran at the same time without a lock on it`];
}

function verifyLines(mission: Tasks, attempt: Attempt): readonly string[] {
  return verifiesBeside(mission, attempt).map(
    ({ task_id, argv }) => `ran meanwhile and may have written it: ${argv.join(' ')}, which verifies task ${task_id}`,
  );
}

/**
 * A milestone is accepted for exactly the content that was validated. So the content has to be the same from before the
 * first look to after the last command. A person's save and what a command leaves are content that was not validated.
 * The runner asks after the worker's end and again after the verify commands.
 */
export function judgeContent({ task: { milestone = '' }, attempt }: Judged): AttemptFailure | null {
  const { tree, tree_before, after_verify } = attempt;
  if (tree === tree_before) return null;
  const during = after_verify?.changes ?? attempt.observed?.changes ?? [];
  const paths = [...new Set(during.map(({ path }) => path))];
  const what = paths.length === 0 ? 'Files' : fewNamed(paths);
  const details = firstLines(
    during.map(({ kind, path }) => `${kind} ${path}`),
    taskFile(attempt.task_id),
  );
  if (after_verify)
    return recoverable(
      'verify_changed_files',
      `${what} changed while the verify commands of milestone ${milestone} ran, so it is not accepted: what is there now was not validated. Let git ignore what the commands write, or let them write outside the workspace, then retry.`,
      details,
    );
  return recoverable(
    'external_change',
    `${what} changed while milestone ${milestone} was validated, so it is not accepted: what was found may be about files that are no longer there. Retry while no files change.`,
    details,
  );
}

/**
 * Judges writes in the approved paths that the intent of a task does not allow. An intent that only reads allows
 * scratch alone, for a command as well; generate_context allows the project file alone. Writes outside the approved
 * paths are judged by the scope. Source: seed 004.
 */
export function judgeIntent({ mission, task, attempt }: Judged): AttemptFailure | null {
  const intent = task.writes ? declaredIntent(task) : task.intent;
  const { observed } = attempt;
  if (intent === null || observed === null || (task.writes && intent !== 'generate_context')) return null;
  const isScratch = scratchOf(mission, attempt, observed.comparison);
  const made = observed.changes.filter(
    (change) =>
      change.attribution === 'worker' &&
      change.in_scope &&
      !isScratch(change.path) &&
      !isPythonCache(change) &&
      !(intent === 'generate_context' && change.path === 'ai.project.json'),
  );
  if (made.length === 0) return null;
  const all = fewNamed(made.map(({ path }) => path));
  const announced = announcedBy(attempt, made).size === made.length;
  const who = announced ? `its worker changed ${all}` : `${all} changed while its worker ran`;
  const may = intent === 'generate_context' ? 'writes ai.project.json alone' : 'writes nothing';
  return {
    kind: 'structural',
    code: 'NON_COMPLIANT',
    reason: `The intent of the task is ${intent}, which ${may}, and ${who}. ${announced ? '' : 'Neither a result nor a stream announces all of it. '}Nothing was reverted.`,
    details: firstLines(
      made.map(({ kind, path }) => `${kind} ${path}`),
      taskFile(task.task_id),
    ),
  };
}

/**
 * Returns whether Python may have left the file when a program ran. Such a file does not count as
 * written, because an agent that only reads may run tests. Python imports such a file only beside
 * its source; a `.pyc` elsewhere is a module of its own, so it counts as written.
 */
function isPythonCache({ kind, path, after_sha256 }: Change): boolean {
  const isFile = (kind === 'added' || kind === 'modified') && after_sha256 !== null;
  return isFile && /(^|\/)__pycache__\/[^/]+\.[a-z]+-?\d[^/]*\.pyc$/.test(path);
}
