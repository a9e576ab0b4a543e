/** Says why the supervisor ends an agent that finished but stays. Stop request, exit record and evidence use it. */
export function lingeredWords({ quiet_seconds }: { readonly quiet_seconds: number }): string {
  return `The agent reported its end and did not exit by itself; it was ended after ${quiet_seconds} s without output.`;
}

/** Adds to an exit code why the supervisor ended an agent that did not exit, and what went wrong. */
export function wordsOfEnd({
  did_not_exit,
  error,
}: {
  readonly did_not_exit?: { readonly quiet_seconds: number };
  readonly error: string | null;
}): string | null {
  const sentences = [...(did_not_exit ? [lingeredWords(did_not_exit)] : []), ...(error === null ? [] : [error])];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** A supervisor's words for a launch whose time is over. */
export function deadlineWords(seconds: number): string {
  return `The worker ran longer than ${seconds} seconds.`;
}
