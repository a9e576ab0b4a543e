import { startsHeld } from '../../adapters/user/machineHold';
import { listAt, numberAt, parsedJson, textAt, valueAt } from '../../base/json';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { commands } from '../registry/registry';
import { alarm, askText, busy, inform } from '../window/ui';
import { askReason } from './ask/targets';

/**
 * Stops every mission of this user on this machine, in every workspace and window. Asks nothing before, because what
 * runs on meanwhile may be what the person wants to prevent; the reason and the name follow.
 */
export async function stopEverything({ person, mission }: Composition, isHeld = startsHeld): Promise<void> {
  const stop = (by: string, reason: string): Promise<string> =>
    mission(['stop', '--all', '--by', by, '--reason', reason]);
  const said = await busy(ui`Stopping everything…`, () => stop(person.actor.name, 'no reason was given yet'));
  tellLeft(said, ui`Everything is stopped. Nothing starts before you allow it with ${commands.allowStarts.title}.`);
  const reason = await askText({
    title: commands.stopEverything.title,
    prompt: ui`Who wants to start something reads why; Escape leaves the reason out.`,
    placeHolder: 'Why?',
    refuses: (text) => (text.trim() === '' ? ui`Say why, or press Escape.` : null),
  });
  const actor = reason === undefined ? undefined : await person.identify();
  if (reason === undefined || !actor) return;
  // Another stop would end what started since a person allowed it.
  if ((await isHeld()) === null)
    void inform(ui`Starts are allowed again meanwhile, so the reason of the stop is not recorded.`);
  else tellLeft(await stop(actor.name, reason.trim()), ui`The reason of the stop is recorded.`);
}

function tellLeft(said: string, whenStopped: UiText): void {
  const result = parsedJson(said);
  if (valueAt(result, 'stopped') === true) return void inform(whenStopped);
  const left = [
    ...(listAt(result, 'remaining') ?? []).map(
      (one) =>
        ui`process ${numberAt(one, 'pid') ?? 'unknown'} of task ${textAt(one, 'task_id') ?? ''} in ${textAt(one, 'workspace') ?? ''}`,
    ),
    ...(listAt(result, 'problems') ?? []).map(
      (one) => ui`${textAt(one, 'workspace') ?? ''}: ${textAt(one, 'problem') ?? ''}`,
    ),
  ];
  const reasons = left.length > 0 ? ui.join(left, '; ') : ui`${textAt(result, 'reason') ?? said}`;
  const then = valueAt(result, 'starts_held') === true ? ui` Nothing new starts.` : ui``;
  void alarm(ui`Not everything is proven to be stopped: ${reasons}.${then} ${nextOf(result)}`);
}

/** Allows starts. Paused missions stay paused until they are resumed. */
export async function allowStarts({ person, mission }: Composition, isHeld = startsHeld): Promise<void> {
  const { title } = commands.allowStarts;
  if ((await isHeld()) === null) return void inform(ui`Starts are allowed already: nothing was stopped.`);
  const reason = await askReason(
    title,
    ui`Missions may start again on this machine; what was paused stays paused.`,
    null,
  );
  const actor = reason === undefined ? undefined : await person.identify();
  if (reason === undefined || !actor) return;
  const result = parsedJson(await mission(['stop', '--release', '--by', actor.name, '--reason', reason]));
  if (valueAt(result, 'released') === true) void inform(ui`Starts are allowed again. Resume what was paused.`);
  else void alarm(ui`${title} was refused. ${textAt(result, 'reason') ?? 'It could not be run.'} ${nextOf(result)}`);
}

function nextOf(result: unknown): UiText {
  const steps = (listAt(result, 'next') ?? []).filter((step) => typeof step === 'string');
  return ui`Next: ${ui.join(steps.length > 0 ? steps : [`Mission Control: ${commands.doctor.title}`], ' · ')}`;
}
