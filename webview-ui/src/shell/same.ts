import { useRef } from 'preact/hooks';

/**
 * Returns an earlier snapshot's value as long as the new one is equal, so that the page draws
 * nothing again.
 */
export function useSame<T>(value: T): T {
  const kept = useRef<{ readonly value: T; readonly text: string } | null>(null);
  const text = JSON.stringify(value);
  if (kept.current?.text !== text) kept.current = { value, text };
  return kept.current.value;
}
