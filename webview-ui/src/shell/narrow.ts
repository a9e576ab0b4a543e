import { useLayoutEffect, useState } from 'preact/hooks';

/** The style sheet says the same width. */
const narrow = window.matchMedia('(max-width: 620px)');
/** An element that is narrower has no room for what is looked up rarely. */
const besideBelow = 861;
/** Nor has one whose bars would get less than this. */
const barsAtLeast = 200;
/** What the style sheet gives to the columns beside the names and the axis, where all are shown. */
const otherColumns = 22 + 76 + 92 + 160;
/** A mark of time such as 12:34, and what keeps it from the next one. */
const markWidth = 40;
const marksAtMost = 6;

/**
 * How much of a table has room: only what is needed most (`narrow`), also the time axis (`beside` another editor or a
 * list), or everything.
 */
export type Room = 'narrow' | 'beside' | 'all';

/**
 * The room of the table of tasks, and how many marks of time stand on its axis without touching each other.
 *
 * @param root what the table stands in
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
      // The same whether all columns are shown or not: what turns one way does not turn back.
      const behind = widthOf('th.axis') - axis;
      setRoom(roomIn(width, width - otherColumns - widthOf('th.name') - behind));
      setMarks(Math.max(1, Math.min(marksAtMost, Math.floor(axis / markWidth))));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    // Longer names, and longer words behind bars, take from it.
    sizes.observe(ticks);
    narrow.addEventListener('change', look);
    return () => {
      sizes.disconnect();
      narrow.removeEventListener('change', look);
    };
  }, []);
  return [room, marks];
}

/** @param bars what would be left for them beside all columns */
function roomIn(width: number, bars: number): Room {
  if (narrow.matches) return 'narrow';
  return width < besideBelow || bars < barsAtLeast ? 'beside' : 'all';
}
