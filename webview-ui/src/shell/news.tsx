import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { blockWord, taskWord } from '../../../src/base/text/words';
import type { BlockView } from '../../../src/contracts/page/blockView';
import type { PanelTask, PanelView } from '../../../src/contracts/page/panelView';
import { Text } from './text';

/**
 * A sentence for a screen reader, with its rank: a block has 2, the end of a task 0. One that waits is displaced by one
 * of the same or a higher rank alone.
 */
type Sentence = readonly [rank: 0 | 1 | 2, text: string];

/** Milliseconds between two sentences, because a screen reader says each to its end. Only the newest one waits. */
const pause = 3000;

/** Says to a screen reader what has changed, without moving its focus. */
export function News({ panel }: { readonly panel: PanelView }): JSX.Element {
  const [[count, said], say] = useState<readonly [count: number, text: string | null]>([0, null]);
  const last = useRef(panel);
  const waiting = useRef<Sentence | null>(null);
  const pausing = useRef(false);
  const next = (): void => {
    pausing.current = waiting.current !== null;
    if (waiting.current === null) return;
    const [, text] = waiting.current;
    // The same sentence is said once more, so its element is another one.
    say(([before]) => [before + 1, text]);
    waiting.current = null;
    setTimeout(next, pause);
  };
  useEffect(() => {
    const news = newsOf(last.current, panel);
    last.current = panel;
    if (news === null) return;
    if (news[0] >= (waiting.current?.[0] ?? 0)) waiting.current = news;
    if (!pausing.current) next();
  }, [panel]);
  return (
    <p class="hidden" role="status" data-section="news">
      <Text key={count} of={said} />
    </p>
  );
}

/** Returns the one change between two snapshots that a person most wants to hear; null: there was none. */
function newsOf(before: PanelView, after: PanelView): Sentence | null {
  const [was, is] = [before.shown, after.shown];
  const same = was?.kind === 'mission' && is?.kind === 'mission' && was.id === is.id;
  const [old, now] = same ? [was.mission.view, is.mission.view] : [null, null];
  const block = now?.blocks.findLast((one) => !old.blocks.some((other) => keyOf(other) === keyOf(one)));
  if (block) return [2, blockSentence(block)];
  const words = new Map(before.entries.map(({ id, word }) => [id, word]));
  // A draft changes its word while a person types.
  const changed = after.entries.filter(({ id, word, group }) => group !== 'drafts' && (words.get(id) ?? word) !== word);
  const mission = changed.find(({ id }) => id === is?.id) ?? changed[0];
  if (mission) return [1, `Mission ${mission.title}: ${mission.word}.`];
  const open = new Set(old?.tasks.flatMap((task) => (isEnded(task) ? [] : [task.task_id])));
  const ended = now?.tasks.findLast((task) => open.has(task.task_id) && isEnded(task));
  if (!now || !ended) return null;
  return [0, `Task ${ended.task_id}: ${taskWord(ended)}, ${now.done} of ${now.tasks.length} done.`];
}

function isEnded({ status }: PanelTask): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled';
}

/** A question that is put once more is news, too. */
function keyOf({ packet_id, question }: BlockView): string {
  return packet_id + question?.asked;
}

function blockSentence(block: BlockView): string {
  const word = blockWord(block);
  if (block.question) return `Task ${block.task_id} asks you.`;
  return `Task ${block.task_id} is blocked${word === null ? '' : `: ${word}`}.`;
}
