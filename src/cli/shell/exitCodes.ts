import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { callMeanings } from '../../contracts/vocabulary/codes/refusals';

/** Exit codes of `mission`, a stable interface; see `mission --help`. */
export const exitCodes = { ok: 0, failed: 1, refused: 2, blocked: 3, environment: 4 } as const;
export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The help and docs/reference/exit-codes.md show them. */
export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'done, valid, completed',
  failed: 'invalid, failed, or not verified',
  refused: 'usage error, file unreadable, or refused before anything started',
  blocked: 'blocked or paused: a person must act',
  environment: 'environment: agent CLI, Node, file system, another owner of the missions',
};

const environmentCodes: ReadonlySet<string> = new Set<RefusalCode | keyof typeof callMeanings>([
  'CONFINEMENT_UNAVAILABLE',
  'WORK_UNSEEN',
  'WORK_HIDES',
  'HARD_LINKS_LEAD_OUT',
  'SERVICE_NOT_OPENED',
  'WORKER_MISSING',
  'PROVIDER_UNUSABLE',
  'PORT_UNAVAILABLE',
  'FLEET_UNAVAILABLE',
  'FLEET_UNSIGNED',
  'FLEET_UNWATCHED',
  'FLEET_NO_HOST',
  'LEASE_HELD',
  'LEASE_BLOCKED',
  'LEASE_UNSUPPORTED',
  'STATE_FOLDER_UNAVAILABLE',
  'PROGRAM_CHANGED',
  'STATE_STORE_NEWER',
  'STATE_STORE_FOREIGN',
  'STATE_STORE_UNMARKED',
  'STATE_STORE_CORRUPT',
  'STATE_STORE_UNWRITABLE',
  'EVIDENCE_UNWRITABLE',
  'EFFECT_FAILED',
  'NODE_UNSUPPORTED',
  'UNEXPECTED',
]);

export function exitOfRefusal(code: string): ExitCode {
  if (code === 'PLAN_INVALID') return exitCodes.failed;
  return environmentCodes.has(code) ? exitCodes.environment : exitCodes.refused;
}
