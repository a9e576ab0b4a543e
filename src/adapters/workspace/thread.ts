import type { StandingQuery } from '../../core/observation/pathState';
import type { DifferenceRequest, ManifestRequest } from '../../engine/ports/workspace';
import { serveCalls } from '../system/threads';
import type { BeforeQuery, Contents, LinesQuery } from '../../engine/ports/contents';
import { createContents } from './contents';
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
  | { readonly kind: 'head' }
  | { readonly kind: 'contents_before'; readonly mission_id: string; readonly files: readonly BeforeQuery[] }
  | { readonly kind: 'contents_now'; readonly paths: readonly string[] }
  | { readonly kind: 'lines'; readonly mission_id: string; readonly files: readonly LinesQuery[] }
  | { readonly kind: 'contents_difference'; readonly request: Parameters<Contents['difference']>[0] };

serveCalls(({ folder, options }: WorkspaceThreadData) => {
  const workspace = createWorkspace(folder, options);
  const contents = createContents(folder, options);
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
      case 'contents_before':
        return contents.before(call.mission_id, call.files);
      case 'contents_now':
        return contents.now(call.paths);
      case 'lines':
        return contents.lines(call.mission_id, call.files);
      case 'contents_difference':
        return contents.difference(call.request);
    }
  };
});
