import type { MissionControlView } from '../../contracts/missionView';

/** Host to page: a complete snapshot; the page drops older ones than it shows. */
export interface SnapshotMessage {
  readonly type: 'snapshot';
  readonly sequence: number;
  readonly views: readonly MissionControlView[];
}

/** Page to host: only a request for a snapshot. `isPanelRequest` drops everything else. */
export interface PanelRequest {
  readonly type: 'ready';
}

export function isPanelRequest(message: unknown): message is PanelRequest {
  return typeof message === 'object' && message !== null && (message as { readonly type?: unknown }).type === 'ready';
}
