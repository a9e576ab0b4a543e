import { useRef } from 'preact/hooks';

/** Returns the value of an earlier snapshot as long as the new one is equal, so that nothing is drawn again. */
export function useSame<T>(value: T): T {
  const kept = useRef<{ readonly value: T; readonly text: string } | null>(null);
  const text = JSON.stringify(value);
  if (kept.current?.text !== text) kept.current = { value, text };
  return kept.current.value;
}
