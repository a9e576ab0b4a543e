/** Numbers of fatal signals on Linux; on macOS SIGBUS, SIGUSR1 and SIGUSR2 differ. */
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
};

/**
 * The contract's numeric `exitCode` as a shell would give it: the code, 128 + signal when killed (128 for a signal
 * without a known number), -1 where none is known: no process ended, or it ended in another clone.
 */
export function exitNumber(exitCode: number | null, signal: string | null): number {
  if (signal !== null) return 128 + (signalNumbers[signal] ?? 0);
  return exitCode ?? -1;
}
