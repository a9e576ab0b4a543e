import { serveCalls } from '../system/threads';
import { createContents } from './contents';
import { createWorkspace, type WorkspaceOptions } from './workspace';

// Entry point of the worker thread that reads a workspace, bundled to dist/workspaceThread.js.

export interface WorkspaceThreadData {
  readonly serves: 'workspace' | 'contents';
  readonly folder: string;
  readonly options: WorkspaceOptions;
}

serveCalls(({ serves, folder, options }: WorkspaceThreadData) =>
  serves === 'workspace' ? createWorkspace(folder, options) : createContents(folder, options),
);
