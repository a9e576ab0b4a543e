/** One thing that was looked at. */
export interface DoctorCheck {
  readonly id: string;
  readonly ok: boolean;
  /** False: its absence restricts what can be done and breaks nothing. */
  readonly required: boolean;
  readonly detail: string;
  /** What a person can do about it; empty when nothing needs doing. */
  readonly fix: string;
  /** What --repair would do; absent where only a person can help. Never touches evidence or journal. */
  readonly repair?: { readonly explains: string; readonly does: () => Promise<void> };
}
