import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { blockWord, taskWord } from '../../../src/base/text/words';
import type { BlockView } from '../../../src/contracts/page/blockView';
import type { PanelTask, PanelView } from '../../../src/contracts/page/panelView';
import { Text } from './text';

/** A sentence for a screen reader. */
interface Sentence {
  readonly text: string;
  /** One that waits is displaced by one of the same or a higher rank alone: a block has 2, the end of a task 0. */
  readonly rank: 0 | 1 | 2;
}

/** Milliseconds between two sentences, because a screen reader says each to its end. Only the newest one waits. */
const pause = 3000;

/** Says to a screen reader what has changed, without moving its focus. */
export function News({ panel }: { readonly panel: PanelView }): JSX.Element {
  const [said, say] = useState<{ readonly text: string; readonly count: number } | null>(null);
  const last = useRef(panel);
  const waiting = useRef<Sentence | null>(null);
  const pausing = useRef(false);
  const next = (): void => {
    pausing.current = waiting.current !== null;
    if (waiting.current === null) return;
    const { text } = waiting.current;
    // The same sentence is said once more, so its element is another one.
    say((before) => ({ text, count: (before?.count ?? 0) + 1 }));
    waiting.current = null;
    setTimeout(next, pause);
  };
  useEffect(() => {
    const news = newsOf(last.current, panel);
    last.current = panel;
    if (news === null) return;
    if (news.rank >= (waiting.current?.rank ?? 0)) waiting.current = news;
    if (!pausing.current) next();
  }, [panel]);
  return (
    <p class="hidden" role="status" data-section="news">
      <span key={said?.count}>
        <Text of={said?.text ?? null} />
      </span>
    </p>
  );
}

/** Returns the one change between two snapshots that a person most wants to hear; null: there was none. */
function newsOf(before: PanelView, after: PanelView): Sentence | null {
  const [was, is] = [before.shown, after.shown];
  const same = was?.kind === 'mission' && is?.kind === 'mission' && was.id === is.id;
  const [old, now] = same ? [was.mission.view, is.mission.view] : [null, null];
  const block = now?.blocks.findLast((one) => !old.blocks.some((other) => keyOf(other) === keyOf(one)));
  if (block) return { text: blockSentence(block), rank: 2 };
  const words = new Map(before.entries.map(({ id, word }) => [id, word]));
  // A draft changes its word while a person types.
  const changed = after.entries.filter(({ id, word, group }) => group !== 'drafts' && (words.get(id) ?? word) !== word);
  const mission = changed.find(({ id }) => id === is?.id) ?? changed[0];
  if (mission) return { text: `Mission ${mission.title}: ${mission.word}.`, rank: 1 };
  const open = new Set(old?.tasks.flatMap((task) => (isEnded(task) ? [] : [task.task_id])));
  const ended = now?.tasks.findLast((task) => open.has(task.task_id) && isEnded(task));
  if (!now || !ended) return null;
  return { text: `Task ${ended.task_id}: ${taskWord(ended)}, ${now.done} of ${now.tasks.length} done.`, rank: 0 };
}

function isEnded({ status }: PanelTask): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled';
}

/** A question that is put once more is news, too. */
function keyOf({ packet_id, question }: BlockView): string {
  return `${packet_id} ${question?.asked ?? ''}`;
}

function blockSentence(block: BlockView): string {
  const word = blockWord(block);
  if (block.question) return `Task ${block.task_id} asks you.`;
  return `Task ${block.task_id} is blocked${word === null ? '' : `: ${word}`}.`;
}
