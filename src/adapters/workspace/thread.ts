import type { StandingQuery } from '../../core/observation/standing';
import type { DifferenceRequest, ManifestRequest } from '../../engine/ports/workspace';
import { serveCalls } from '../system/threads';
import { createWorkspace, type WorkspaceOptions } from './workspace';

// Entry point of the worker thread that reads a workspace, bundled to dist/workspaceThread.js.

export interface WorkspaceThreadData {
  readonly folder: string;
  readonly options: WorkspaceOptions;
}
export type WorkspaceCall =
  | { readonly kind: 'baseline'; readonly request: ManifestRequest }
  | { readonly kind: 'difference'; readonly request: DifferenceRequest }
  | { readonly kind: 'tree'; readonly request: ManifestRequest }
  | { readonly kind: 'standing'; readonly paths: readonly StandingQuery[] }
  | { readonly kind: 'links'; readonly paths: readonly string[] }
  | { readonly kind: 'head' };

serveCalls(({ folder, options }: WorkspaceThreadData) => {
  const workspace = createWorkspace(folder, options);
  return (call: WorkspaceCall): Promise<unknown> => {
    switch (call.kind) {
      case 'baseline':
        return workspace.baseline(call.request);
      case 'difference':
        return workspace.difference(call.request);
      case 'tree':
        return workspace.tree(call.request);
      case 'standing':
        return workspace.standing(call.paths);
      case 'links':
        return workspace.links(call.paths);
      case 'head':
        return workspace.head();
    }
  };
});
