import { useRef } from 'preact/hooks';

/** Gives the value of an earlier snapshot as long as this one says the same, so that what was drawn of it stays. */
export function useSame<T>(value: T): T {
  const kept = useRef<{ readonly value: T; readonly text: string } | null>(null);
  const text = JSON.stringify(value);
  if (kept.current?.text !== text) kept.current = { value, text };
  return kept.current.value;
}
