import type { RefusalCode } from '../../contracts/vocabulary/codes';

/** Exit codes of `mission`, a stable interface; see `mission --help`. */
export const exitCodes = {
  /** Done, valid, completed. */
  ok: 0,
  /** Invalid, failed, or verification did not hold. */
  failed: 1,
  /** Usage error, file unreadable, refused before anything started. */
  refused: 2,
  /** Blocked or paused: a person must act. */
  blocked: 3,
  /** The environment: worker CLI, Node, the file system, another owner of the lease. */
  environment: 4,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const environmentCodes: ReadonlySet<string> = new Set<RefusalCode>([
  'CONFINEMENT_UNAVAILABLE',
  'HARD_LINKS_LEAD_OUT',
  'SERVICE_NOT_OPENED',
  'WORKER_MISSING',
  'PROVIDER_UNUSABLE',
  'PORT_UNAVAILABLE',
  'LEASE_HELD',
  'LEASE_UNSUPPORTED',
  'STATE_FOLDER_UNAVAILABLE',
  'PROGRAM_CHANGED',
  'STATE_STORE_NEWER',
  'STATE_STORE_CORRUPT',
  'STATE_STORE_UNWRITABLE',
  'EVIDENCE_UNWRITABLE',
  'EFFECT_FAILED',
]);

/** The exit code of a refusal. */
export function exitOfRefusal(code: string): ExitCode {
  if (code === 'PLAN_INVALID') return exitCodes.failed;
  return environmentCodes.has(code) ? exitCodes.environment : exitCodes.refused;
}
