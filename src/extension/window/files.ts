import { workspace, type FileStat, type FileSystemWatcher, type FileType, type GlobPattern, type Uri } from 'vscode';

export function watchFiles(pattern: GlobPattern, changed: (file: Uri) => void): FileSystemWatcher {
  const watcher = workspace.createFileSystemWatcher(pattern);
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}

/** Null: there is no such file, or it cannot be looked at. */
export async function statOf(file: Uri): Promise<FileStat | null> {
  return Promise.resolve(workspace.fs.stat(file)).catch(() => null);
}

/** Empty: there is no such folder, or it cannot be read. */
export async function entriesOf(folder: Uri): Promise<readonly [name: string, FileType][]> {
  return Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
}
