import { leftWord } from '../../../base/nameMark';
import { sha256 } from '../../../base/sha256';
import { fewNamed, namedAtMost } from '../../../base/text/firstNamed';
import type { AttemptRecord } from '../../model/attempt';
import type { AttemptFailure } from '../../model/facts';
import type { Change } from '../../observation/change';
import { acceptance, awaitsAcceptance, waitingWork } from '../../model/waitingWork';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';

/**
 * Waits for a person where the plan lets only accepted work into the workspace. Also work of which a comparison shows
 * nothing, because a layer may hold files that none compares.
 */
export function judgeAccepted({ mission, row, attempt }: Judged): AttemptFailure | null {
  const { task_id } = attempt;
  const work = workOf(attempt);
  const waiting = waitingWork(row, attempt);
  if (!waiting) return null;
  const given = mission.packets.filter((one) => one.task_id === task_id && one.answer?.choice === acceptance.choice);
  const seen = row.attempts.filter(
    (one) => awaitsAcceptance(one.failure) && given.some((packet) => packet.attempt === one.attempt),
  );
  // A person accepted what was shown: the same launch, and each of its files as it was then.
  if (seen.some((one) => waitingWork(row, one)?.launch_id === waiting.launch_id && isSame(one, attempt))) return null;
  const unseen = unseenOf(attempt);
  const lines = unseen.map(unseenWords);
  const hidden = new Set(unseen.map(({ path }) => path));
  const seenNames = [...work.keys()].filter((path) => !hidden.has(path));
  // The details of the block hold all lines.
  const rest = fewNamed(seenNames, Math.max(0, lines.length - namedAtMost));
  const names = [...lines.slice(0, namedAtMost), ...(rest === '' ? [] : [rest])];
  const shown = names.length === 0 ? 'no file that is compared' : names.join(', ');
  // An answer belongs to what was shown: the question of other work has other words.
  const digest = sha256(JSON.stringify([...work].map((one) => JSON.stringify(one)).sort())).slice(0, 12);
  const now = seen.length > 0 ? ' It is not what was accepted before.' : '';
  return recoverable(
    'awaiting_user',
    `${task_id} is verified (attempt ${attempt.attempt}, ${digest}) and waits for a person, who accepts its work or sends it back: ${shown}.${now}`,
    // Of many the question holds the first alone.
    lines,
    { outcome: 'ASK_USER' },
  );
}

/** Returns the files that wait and of which no content is known, so that no diff shows them. */
function unseenOf({ observed }: Pick<AttemptRecord, 'observed'>): readonly Change[] {
  const changes = observed?.changes.filter(({ layered, kind }) => layered && kind !== 'deleted') ?? [];
  return changes.filter(({ after_sha256, after_link }) => after_sha256 === null && after_link === undefined);
}

function unseenWords({ path, detail }: Change): string {
  return detail?.includes('too_large')
    ? `${path} (too large to be compared, so accepted unseen)`
    : `${path} (not readable, so accepted unseen)`;
}

/** Returns the paths that wait of an attempt, each with what the layer holds there. */
function workOf({ observed }: Pick<AttemptRecord, 'observed'>): ReadonlyMap<string, string> {
  const changes = observed?.changes.filter(({ layered }) => layered) ?? [];
  return new Map(
    changes.map(({ path, kind, after_sha256, after_mode, after_link, detail }) => [
      path,
      JSON.stringify([kind, after_sha256, after_mode, after_link, detail]),
    ]),
  );
}

/** Compares what a person saw, which is a record, with what waits now, which may have its real names. */
function isSame(seen: Pick<AttemptRecord, 'observed'>, now: Pick<AttemptRecord, 'observed'>): boolean {
  const [one, other] = [seen, now].map(({ observed }) =>
    (observed?.changes ?? []).flatMap((change) => {
      const { layered, after_sha256, after_link, detail } = change;
      // Of a file without known content, this says size and times.
      const more = after_sha256 === null && after_link === undefined ? detail : null;
      return layered ? [JSON.stringify([leftWord(change), more])] : [];
    }),
  );
  return JSON.stringify(one?.sort()) === JSON.stringify(other?.sort());
}
