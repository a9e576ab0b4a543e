import type { MissionControlView } from '../../contracts/missionView';

/** Host to page: always a complete snapshot; an older sequence than shown is dropped by the page. */
export interface SnapshotMessage {
  readonly type: 'snapshot';
  readonly sequence: number;
  readonly views: readonly MissionControlView[];
}

/**
 * Page to host. The page can ask for a snapshot and nothing else: Mission Control is read-only by type, and
 * whatever else arrives is dropped by `isPanelRequest`.
 */
export interface PanelRequest {
  readonly type: 'ready';
}

export function isPanelRequest(message: unknown): message is PanelRequest {
  return typeof message === 'object' && message !== null && (message as { readonly type?: unknown }).type === 'ready';
}
