import { namesNobody } from '../../contracts/vocabulary/actors';
import { utcText } from '../../base/text/amounts';

/** What an approval binds, as recorded on the machine of the person who gave it. */
export interface ApprovalRecord {
  readonly plan_sha256: string;
  readonly by: string;
  /** Real path of the workspace. */
  readonly workspace_dir: string;
  readonly machine_id: string;
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly nonce: string;
  /** The hosts that agents talked to then, `AGENT=HOST:PORT` each; absent: not recorded. */
  readonly speaks_to?: readonly string[];
  /** The files of instructions for agents, `PATH=SHA-256` each; absent: none. */
  readonly instructions?: readonly string[];
}

/** An approval in the journal, sealed with the key of its user. */
export interface SealedApproval extends ApprovalRecord {
  /** Upper-case hex, HMAC-SHA-256. */
  readonly mac_sha256: string;
}

/** The person who approved these bytes on this machine, as journalled by a mission. */
export type ApprovedHere = Pick<ApprovalRecord, 'by' | 'at' | 'nonce' | 'speaks_to' | 'instructions'> &
  /** Absent: an earlier version did not record it. */
  Partial<Pick<ApprovalRecord, 'workspace_dir'>>;

/** A record of the journal, and what this machine knows about it. */
export interface RecordedApproval {
  readonly by: string;
  readonly at: string;
  /** Null: it has no seal. */
  readonly record: ApprovalRecord | null;
  /** Whether this user's key made its seal. */
  readonly sealed: boolean;
  /** The mission that used it. */
  readonly used_by: string | null;
}

/** `recorded`: whether the journal has these bytes, only other bytes of the plan, or none. `why`: for the person. */
export type ApprovalVerdict =
  | { readonly counts: true; readonly approved: ApprovedHere; /** It counts for one mission. */ readonly once: boolean }
  | { readonly counts: false; readonly recorded: 'these' | 'others' | 'none'; readonly why: string };

export interface ApprovalQuestion {
  readonly risk_level: number;
  readonly now: string;
  /** When the last approval of this workspace was recorded; absent: not read. */
  readonly last?: string;
  /** How long an approval counts from risk level 2 on. */
  readonly hours: number;
  /** This machine and workspace, or why the key of this user cannot be used. */
  readonly here: Pick<ApprovalRecord, 'workspace_dir' | 'machine_id'> | { readonly problem: string };
}

/** From this risk level on an approval counts for one mission and for a limited time. */
const careful = 2;

/** Judges whether a record of these bytes (oldest first) counts. Source: decision 18. */
export function judgeApproval(records: readonly RecordedApproval[], question: ApprovalQuestion): ApprovalVerdict {
  const newest = records.at(-1);
  if (!newest)
    return { counts: false, recorded: 'none', why: 'Exactly these bytes were not approved on this machine.' };
  for (const { record, ...found } of records.toReversed())
    if (record && fault({ record, ...found }, question) === null) {
      const { by, at, nonce, workspace_dir, speaks_to, instructions } = record;
      const approved = {
        by,
        at,
        nonce,
        workspace_dir,
        ...(speaks_to && { speaks_to }),
        ...(instructions && { instructions }),
      };
      return { counts: true, approved, once: question.risk_level >= careful };
    }
  const why = `The approval by ${newest.by} of ${utcText(newest.at)} does not count: ${fault(newest, question) ?? ''}.`;
  return { counts: false, recorded: 'these', why };
}

/**
 * Says who approved which other bytes (oldest first); null: no person did. A record without a seal, or of another
 * workspace, counts too, because it can only refuse.
 */
export function approvedOtherwise(
  others: readonly { readonly by: string; readonly plan_sha256: string }[],
  now: string,
): string | null {
  const [last, ...earlier] = others
    .toReversed()
    .filter((one, index, all) => all.findIndex(({ plan_sha256 }) => plan_sha256 === one.plan_sha256) === index);
  if (!last) return null;
  const also = earlier.slice(0, namedAtMost).map(({ by, plan_sha256 }) => `${by} ${short(plan_sha256)}`);
  const before = also.length === 0 ? '' : ` Approved earlier: ${also.join(', ')}.`;
  return `${last.by} approved other bytes, SHA-256 ${short(last.plan_sha256)}; the file now holds ${short(now)}, which is not approved here.${before}`;
}

/** Earlier approvals that a sentence names. */
const namedAtMost = 3;

function short(sha256: string): string {
  return `${sha256.slice(0, 8)}…`;
}

/** Milliseconds by which a clock that is set right again goes back. */
const clockSlack = 60_000;

function fault({ record, sealed, used_by }: RecordedApproval, { here, ...question }: ApprovalQuestion): string | null {
  if (record && namesNobody(record.by)) return `only a person approves, and ${record.by} names no person`;
  if ('problem' in here) return here.problem;
  if (!record) return 'it was recorded without a seal';
  if (!sealed)
    return 'its seal is not of this user’s key: it came with the repository, or the key was lost or replaced';
  if (record.machine_id !== here.machine_id) return 'it was given on another machine';
  if (record.workspace_dir !== here.workspace_dir) return `it was given in another workspace, ${record.workspace_dir}`;
  const { now, last = now } = question;
  if (Date.parse(record.at) > Math.min(Date.parse(now), Date.parse(last)) + clockSlack)
    return `it was given at ${utcText(record.at)}, which is later than now or than the last record: a clock was wrong`;
  if (question.risk_level < careful) return null;
  if (used_by !== null)
    return `at risk level ${question.risk_level} it counts for one mission, and ${used_by} has used it`;
  const age = Date.parse(question.now) - Date.parse(record.at);
  return age <= question.hours * 3_600_000
    ? null
    : `at risk level ${question.risk_level} it counts for ${question.hours} hours, and they are over`;
}
