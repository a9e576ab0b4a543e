export interface EngineOptions {
  readonly tool_version: string;
  /** Fencing number of the lease this engine works under. */
  readonly fence: number;
  /** How long a launch ticket may wait for its supervisor, seconds. */
  readonly ticket_seconds: number;
  /** From the stop request to the kill, seconds. */
  readonly grace_seconds: number;
  /** Host and user names go into the evidence only when asked for. */
  readonly identity: { readonly host: string; readonly user: string } | null;
}
