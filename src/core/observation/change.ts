import type { Sides } from '../../base/fileState';
import type { ChangeEvidence } from '../../contracts/record/changeEvidence';

/** A difference between two manifests, before its attribution. */
export interface RawChange
  extends Sides, Pick<ChangeEvidence, 'path' | 'kind' | 'before_sha256' | 'after_sha256' | 'resolved_path' | 'detail'> {
  /** Git tracks the path. Set for names that an editor leaves, because only these are judged by it. */
  readonly tracked?: true;
  /** It lies in the layer of the worker alone, so it is certainly the worker's. */
  readonly layered?: true;
  /** The link leads out of the workspace to a file that can be started. */
  readonly to_program?: true;
  /** The file has a further name that the workspace does not show. */
  readonly linked?: true;
  /** Where a fact of git lies on the disk, POSIX, relative to the workspace, absolute outside it. Absent: unknown. */
  readonly lies_at?: readonly string[];
  /** Last change time of the file (deleted: of its folder), ISO-8601 with milliseconds; null when unknown. */
  readonly changed_at: string | null;
}

export interface ExternalSave {
  readonly path: string;
  readonly sha256: string;
  readonly at: string;
}

/** `doubt` and `relied_on` complete "<path> ...". */
export type Change = RawChange & ChangeEvidence;
