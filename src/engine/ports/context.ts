export interface EngineOptions {
  readonly tool_version: string;
  /** Fencing number of the engine's lease. */
  readonly fence: number;
  /** Seconds that a launch ticket may wait for its supervisor. */
  readonly ticket_seconds: number;
  /** Seconds from the stop request to the kill. */
  readonly grace_seconds: number;
}

export const launchTimes = { ticket_seconds: 60, grace_seconds: 10 } as const;
