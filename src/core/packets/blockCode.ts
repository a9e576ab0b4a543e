import {
  codeOfCategory,
  shownCodes,
  type ContractCode,
  type ReasonCategory,
  type ShownCode,
} from '../../contracts/vocabulary/codes/codes';

const shown: { readonly [C in ReasonCategory]?: ShownCode } = shownCodes;

/** The one code that status, packet and panel show for a block. `own`: the code of a validator. */
export function blockCode(category: ReasonCategory, own?: ContractCode): ContractCode | ShownCode {
  return shown[category] ?? own ?? codeOfCategory[category];
}
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

/** The code of a shell: its own, 128 + signal (128 without a number), -1 where none is known. */
export function exitNumber(exitCode: number | null, signal: string | null): number {
  if (signal !== null) return 128 + (signalNumbers[signal] ?? 0);
  return exitCode ?? -1;
}
