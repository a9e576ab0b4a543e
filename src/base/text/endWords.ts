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

/** Says how a process ended. A shell, and a sandbox, pass on a signal as 128 and its number. */
export function exitWords({
  exit_code,
  signal,
}: {
  readonly exit_code: number | null;
  readonly signal: string | null;
}): string {
  if (signal !== null) return `was ended by ${signalWords(signal)}`;
  return exit_code === null ? 'ended without an exit code' : `exited with ${codeWords(exit_code)}`;
}

/** An exit code, with the signal that it stands for. */
export function codeWords(exitCode: number): string {
  return `${exitCode}${codeNotes.get(exitCode) ?? ''}`;
}

/** The name of a signal, with its usual cause where the signal alone does not show it. */
export function signalWords(signal: string): string {
  return signal === 'SIGKILL' ? "SIGKILL (often because the machine's memory ran out)" : signal;
}

/** Signals whose number is the same everywhere, without SIGHUP, because git and others exit with 129 themselves. */
const codeNotes: ReadonlyMap<number, string> = new Map([
  [130, ' (SIGINT)'],
  [131, ' (SIGQUIT)'],
  [132, ' (SIGILL)'],
  [133, ' (SIGTRAP)'],
  [134, ' (SIGABRT)'],
  [136, ' (SIGFPE)'],
  [137, " (SIGKILL, often because the machine's memory ran out)"],
  [139, ' (SIGSEGV)'],
  [141, ' (SIGPIPE)'],
  [143, ' (SIGTERM)'],
]);
