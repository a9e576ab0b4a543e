import { useLayoutEffect, useState } from 'preact/hooks';

/** The style sheet has the same width. */
const narrow = window.matchMedia('(max-width: 620px)');
/** Pixels; a narrower element has no room for facts that people rarely look up. */
const besideBelow = 861;
/** Pixels; an element whose bars would get less has no room either. */
const barsAtLeast = 200;
/** Pixels that the style sheet gives all columns except the names and the axis. */
const otherColumns = 22 + 76 + 92 + 160;
/** Pixels of "waits for you 12:34" behind a bar, which stay free before a task waits. */
const wordsBehind = 155;
/** Pixels of a time mark such as 12:34, with its distance to the next one. */
const markWidth = 40;
const marksAtMost = 6;

/**
 * The room of a table: only the most needed columns (`narrow`), also the time axis (`beside` another editor or a list),
 * or everything.
 */
export type Room = 'narrow' | 'beside' | 'all';

/**
 * Measures the room of the table of tasks, and how many time marks fit on its axis.
 *
 * @param root the element that holds the table
 */
export function useRoom(root: { readonly current: HTMLElement | null }): readonly [Room, number] {
  const [room, setRoom] = useState<Room>(() => roomIn(window.innerWidth, Number.POSITIVE_INFINITY));
  const [marks, setMarks] = useState(marksAtMost);
  useLayoutEffect(() => {
    const element = root.current;
    const ticks = element?.querySelector('.ticks');
    if (!element || !ticks) return undefined;
    const widthOf = (selector: string): number => element.querySelector(selector)?.getBoundingClientRect().width ?? 0;
    const look = (): void => {
      const { width } = element.getBoundingClientRect();
      const axis = ticks.getBoundingClientRect().width;
      // By the width and the names alone, because columns that come and go with what happens confuse.
      setRoom(roomIn(width, width - otherColumns - widthOf('th.name') - wordsBehind));
      setMarks(Math.max(1, Math.min(marksAtMost, Math.floor(axis / markWidth))));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    // Observed, because longer names and longer words behind bars take from the axis.
    sizes.observe(ticks);
    narrow.addEventListener('change', look);
    return () => {
      sizes.disconnect();
      narrow.removeEventListener('change', look);
    };
  }, []);
  return [room, marks];
}

/** @param bars pixels that bars would get beside all columns */
function roomIn(width: number, bars: number): Room {
  if (narrow.matches) return 'narrow';
  return width < besideBelow || bars < barsAtLeast ? 'beside' : 'all';
}
