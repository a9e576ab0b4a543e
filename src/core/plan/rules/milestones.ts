import { validatorIntent } from '../../../contracts/vocabulary/milestones';
import { milestoneModes } from '../../../contracts/vocabulary/plan';
import { asText, objectAt, objectsAt, quoted, textAt, textsAt, listAt, type JsonObject } from '../../../base/json';
import { judgeId } from './identity';
import type { JudgedTask, AddPlanFinding } from './judgedTask';
import { judgeVerify } from './commands';
import { dependenciesOf, tasksById } from './tasks';

/** Milestones, who belongs to them, in which order they can run, and what validates them. */
export function judgeMilestones(plan: JsonObject, tasks: readonly JudgedTask[], report: AddPlanFinding): void {
  const used = new Set(tasks.map(([task]) => asText(task['milestone'])));
  /** Letter case does not tell the files of two milestones apart. */
  const taken = new Set<string>();
  const places = new Map<string, number>();
  for (const [milestone, index] of objectsAt(plan, 'milestones')) {
    const pointer = `/milestones/${index}`;
    const validate = objectAt(milestone, 'validate');
    if (validate) {
      judgeValidation(validate, `${pointer}/validate`, report);
      if (textAt(objectAt(plan, 'execution'), 'on_block') === 'fail')
        judgeAsked(validate, `${pointer}/validate`, report);
    }
    const id = textAt(milestone, 'id');
    if (id === null) continue;
    judgeId(id, `${pointer}/id`, 'The milestone id', report);
    if (taken.has(id.toLowerCase())) {
      report('MILESTONE_DUPLICATE', `${pointer}/id`, `Milestone id ${quoted(id)} is already taken; choose another.`);
    } else if (!used.has(id)) {
      const message = `No task names milestone ${quoted(id)}; ${validate === null ? 'it will count as reached at once' : 'it is validated as soon as the milestones before it are reached'}.`;
      report('MILESTONE_EMPTY', `${pointer}/id`, message, 'warning');
    }
    taken.add(id.toLowerCase());
    if (!places.has(id)) places.set(id, index);
  }
  for (const [task, index] of tasks) {
    const id = asText(task['milestone']);
    if (id === null || places.has(id)) continue;
    const message = `There is no milestone ${quoted(id)}; add it to milestones or correct the id.`;
    report('MILESTONE_UNKNOWN', `/tasks/${index}/milestone`, message);
  }
  if (places.size > 1) judgeOrder(tasks, places, report);
}

/** Returns what validates milestones with an agent, with the fields that a task has for it. */
export function validatorsOf(plan: JsonObject): readonly JudgedTask[] {
  return objectsAt(plan, 'milestones').flatMap(([milestone, index]): readonly JudgedTask[] => {
    const validate = objectAt(milestone, 'validate');
    if (textAt(validate, 'worker') === null) return [];
    return [[{ ...validate, intent: validatorIntent }, index, `/milestones/${index}/validate`]];
  });
}

/** A person, an agent or a command has to be able to say whether the milestone is reached. */
function judgeValidation(validate: JsonObject, pointer: string, report: AddPlanFinding): void {
  judgeVerify(validate, pointer, report);
  const assertions = textsAt(validate, 'assertions');
  const seen = new Set<string>();
  for (const [assertion, index] of assertions) {
    if (seen.has(assertion)) {
      const message = `Assertion ${quoted(assertion)} stands there before; remove one of them.`;
      report('ASSERTION_DUPLICATE', `${pointer}/assertions/${index}`, message);
    }
    seen.add(assertion);
  }
  const mode = milestoneModes.find((one) => one === validate['mode']) ?? 'scrutiny';
  const worker = textAt(validate, 'worker');
  if (assertions.length > 0 && worker === null && mode === 'scrutiny')
    report(
      'MILESTONE_UNANSWERED',
      `${pointer}/assertions`,
      'These assertions would stay unanswered; name an agent in worker, or let a person answer them with "mode": "user-testing".',
    );
  if (assertions.length > 0) return;
  if (worker !== null)
    report(
      'MILESTONE_VALIDATES_NOTHING',
      `${pointer}/worker`,
      `${worker} is given nothing to judge; write assertions, or remove the worker.`,
    );
  else if ((listAt(validate, 'verify') ?? []).length === 0)
    report(
      'MILESTONE_VALIDATES_NOTHING',
      pointer,
      'validate holds neither verify commands nor assertions, so nothing is validated; write some, or remove validate.',
    );
}

/** A milestone asks a person by blocking, and that ends a mission with `on_block` fail before the person can answer. */
function judgeAsked(validate: JsonObject, pointer: string, report: AddPlanFinding): void {
  const asks = validate['mode'] === 'user-testing' && textAt(validate, 'worker') === null;
  if (asks && textsAt(validate, 'assertions').length > 0)
    report(
      'MILESTONE_UNANSWERED',
      `${pointer}/assertions`,
      'on_block "fail" ends the mission when a person is asked, so these assertions would stay unanswered; name an agent in worker, or set on_block to "recover".',
    );
}

/** A task that waits, itself or through others, for one of a later milestone would never start. */
function judgeOrder(tasks: readonly JudgedTask[], places: ReadonlyMap<string, number>, report: AddPlanFinding): void {
  const byId = tasksById(tasks);
  const byIndex = new Map(tasks.map(([task, index]) => [index, task]));
  const latest = latestWaitedFor(byIndex, byId, places);
  for (const [task, index] of tasks) {
    const place = places.get(asText(task['milestone']) ?? '');
    if (place === undefined) continue;
    for (const [id, at] of dependenciesOf(task)) {
      const later = latest.get(byId.get(id) ?? -1);
      if (!later || later.place <= place) continue;
      const message = `Task ${quoted(asText(task['task_id']))} waits for ${later.id === id ? '' : `${quoted(id)}, and with it for `}${quoted(later.id)} of a later milestone, but milestones run in the listed order; put one of them into another milestone, or change the order.`;
      report('MILESTONE_ORDER', `/tasks/${index}/depends_on/${at}`, message);
    }
  }
}

interface Waited {
  readonly place: number;
  readonly id: string;
}

/** For each task the one of the latest milestone among itself and all that it waits for. Without recursion. */
function latestWaitedFor(
  tasks: ReadonlyMap<number, JsonObject>,
  byId: ReadonlyMap<string, number>,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<number, Waited | null> {
  const latest = new Map<number, Waited | null>();
  const stack = [...tasks.keys()].reverse();
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    const task = tasks.get(index) ?? {};
    const waitsFor = dependenciesOf(task).flatMap(([id]) => byId.get(id) ?? []);
    if (!latest.has(index)) {
      const place = places.get(asText(task['milestone']) ?? '');
      // What stands in a cycle, which is another finding, is not entered twice.
      latest.set(index, place === undefined ? null : { place, id: asText(task['task_id']) ?? '' });
      stack.push(index, ...waitsFor.filter((one) => !latest.has(one)));
      continue;
    }
    for (const one of waitsFor) {
      const further = latest.get(one);
      if (further && further.place > (latest.get(index)?.place ?? -1)) latest.set(index, further);
    }
  }
  return latest;
}
