import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A row of elements of which one is the stop of the Tab key; arrows, Home and End move it. */
export interface Roving {
  /** The place of the stop, from 0. */
  readonly stop: number;
  at(place: number): { readonly tabIndex: number; readonly 'data-stop': number; readonly onFocus: () => void };
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const pageOfRows = 10;

/**
 * @param begin the first place of the stop @param root the element that holds them; the wanted one may be drawn only
 * later
 */
export function useRoving(
  root: { readonly current: HTMLElement | null },
  count: number,
  begin: number,
  also: Readonly<Record<string, number>> = {},
): Roving {
  const [chosen, choose] = useState(Math.max(0, begin));
  const wanted = useRef(false);
  const stop = Math.max(0, Math.min(chosen, count - 1));
  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const element = root.current?.querySelector<HTMLElement>(`[data-stop="${stop}"]`);
    element?.focus();
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [stop]);
  return {
    stop,
    at: (place) => ({ tabIndex: place === stop ? 0 : -1, 'data-stop': place, onFocus: () => choose(place) }),
    onKeyDown: (event) => {
      const here = event.target instanceof HTMLElement ? event.target.dataset.stop : undefined;
      if (here === undefined) return;
      const by: Readonly<Record<string, number>> = {
        ArrowDown: 1,
        ArrowUp: -1,
        PageDown: pageOfRows,
        PageUp: -pageOfRows,
        Home: -count,
        End: count,
        ...also,
      };
      const step = by[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const to = Math.max(0, Math.min(count - 1, Number(here) + step));
      wanted.current = to !== stop;
      choose(to);
    },
  };
}
