import { fewNamed } from '../../base/text/firstNamed';
import type { ReadFile, ReadReview } from '../../engine/views/readReview';

/** @param commands the tasks of the worker `command`, which announces nothing */
export function whatToKnow({ files, live, notes }: ReadReview, commands: ReadonlySet<string>): readonly string[] {
  const named = (some: readonly ReadFile[]): string => fewNamed(some.map(({ path }) => path));
  const outside = files.filter(({ violation }) => violation !== null);
  const doubted = files.filter(({ tasks, doubted: ofThem }) => ofThem.length === tasks.length);
  const byAgent = files.filter(({ tasks }) => tasks.some((task) => !commands.has(task)));
  const observed = byAgent.filter((file) => file.unannounced.length === file.tasks.length && !doubted.includes(file));
  const since = files.filter((file) => file.since !== null);
  const strays = files.filter(({ not_kept }) => not_kept);
  const noted = files.filter(({ note }) => note !== null);
  const lost = files.filter(({ was }) => was?.kind === 'words' && was.text.startsWith('No baseline kept'));
  return [
    ...(live ? ['It still runs: the right side is a copy of this moment.'] : []),
    ...(outside.length > 0 ? [`Out of scope: ${named(outside)}.`] : []),
    ...(strays.length > 0 ? [`Not kept: ${named(strays)}.`] : []),
    ...(doubted.length > 0 ? [`Nothing shows who changed ${named(doubted)}.`] : []),
    ...(observed.length > 0 ? [`The agent did not name these changes in its result: ${named(observed)}.`] : []),
    ...since.slice(0, 3).map(({ path, since: how }) => `${path} ${how ?? ''}.`),
    ...(since.length > 3 ? [`${since.length - 3} more are not as the task left them.`] : []),
    ...noted.slice(0, 3).map(({ path, note }) => `${path}: ${note?.replace(/\.$/, '') ?? ''}.`),
    ...(noted.length > 3 ? [`Of ${noted.length - 3} more something changed that is not seen here.`] : []),
    ...(lost.length > 0 ? [`No baseline was kept of ${named(lost)}.`] : []),
    ...notes,
  ];
}
