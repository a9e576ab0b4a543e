import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';

let ahead = 0;
const clocks = new Set<() => void>();
setInterval(() => {
  for (const turn of clocks) turn();
}, 1000);

/** Sets the sender's time, from a snapshot, because the sender may have another clock. */
export function setNow(iso: string): void {
  const at = Date.parse(iso);
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** The sender's time now, in milliseconds; redraws the calling component every second while `goesOn`. */
export function useNow(goesOn: boolean): number {
  const [, turn] = useState(0);
  useEffect(() => {
    if (!goesOn) return undefined;
    const next = (): void => turn((count) => count + 1);
    clocks.add(next);
    return () => {
      clocks.delete(next);
    };
  }, [goesOn]);
  return Date.now() + ahead;
}

/** Shows a running duration; screen readers do not announce every second. */
export function Since({ from, before = '' }: { readonly from: string; readonly before?: string }): JSX.Element {
  const now = useNow(true);
  return (
    <span role="timer" title={from}>
      {before}
      {clock(now - Date.parse(from))}
    </span>
  );
}

export function Moment({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {momentText(at)}
    </time>
  );
}

/** `10:05:43` of today, else with its date; in the reader's time zone. */
export function momentText(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const time = times.format(date);
  return date.toDateString() === new Date(Date.now() + ahead).toDateString() ? time : `${days.format(date)} ${time}`;
}

// Made once, because making one takes longer than everything else that a line of events costs.
const times = new Intl.DateTimeFormat([], { hour12: false, hour: 'numeric', minute: 'numeric', second: 'numeric' });
const days = new Intl.DateTimeFormat();
