import { workspace, type FileSystemWatcher, type GlobPattern, type Uri } from 'vscode';

/** Calls back for each file of the pattern that is made, changed or deleted. */
export function watchFiles(pattern: GlobPattern, changed: (file: Uri) => void): FileSystemWatcher {
  const watcher = workspace.createFileSystemWatcher(pattern);
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}
