import {
  languages,
  RelativePattern,
  Uri,
  workspace,
  type DiagnosticCollection,
  type TextDocument,
  type WorkspaceFolder,
} from 'vscode';
import { projectFilesOf } from '../../adapters/documents/project';
import { parseJsonText } from '../../adapters/documents/json';
import { adrFolder, projectFile } from '../../contracts/vocabulary/aiProject';
import { judgedProject } from '../../engine/plans/documentCheck';
import type { Contribution } from '../registry/registry';
import { diagnosticOf } from './diagnostics';
import { watchFiles } from '../window/files';
import { openDocument } from './uris';

/** Findings of ai.project.json in the root of each folder: of the text while it is edited, else of the file. */
export class ProjectDiagnostics implements Contribution {
  readonly #collection: DiagnosticCollection = languages.createDiagnosticCollection('mission-control-project');
  readonly #watchers = new Map<string, readonly Contribution[]>();
  readonly #subscriptions: readonly Contribution[];
  /** Newest look at each folder; results of older ones are dropped. */
  readonly #looks = new Map<string, number>();

  /** @param changed called after each look at a folder, because its plans may need the file */
  constructor(
    private readonly changed: (folder: WorkspaceFolder) => Promise<void>,
    private readonly onProblem: (problem: unknown) => void,
  ) {
    const documentChanged = (document: TextDocument): void => {
      const folder = workspace.getWorkspaceFolder(document.uri);
      if (folder && document.uri.toString() === fileOf(folder).toString()) void this.#look(folder);
    };
    this.#subscriptions = [
      this.#collection,
      workspace.onDidChangeTextDocument(({ document }) => documentChanged(document)),
      workspace.onDidCloseTextDocument(documentChanged),
      workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const folder of removed) this.#forget(folder);
        for (const folder of added) this.#follow(folder);
      }),
    ];
    for (const folder of workspace.workspaceFolders ?? []) this.#follow(folder);
  }

  dispose(): void {
    for (const one of [...[...this.#watchers.values()].flat(), ...this.#subscriptions]) one.dispose();
  }

  #follow(folder: WorkspaceFolder): void {
    const watchers = [projectFile, `${adrFolder}/ADR-*.md`].map((pattern) =>
      watchFiles(new RelativePattern(folder, pattern), () => void this.#look(folder)),
    );
    this.#watchers.set(folder.uri.toString(), watchers);
    void this.#look(folder);
  }

  #forget(folder: WorkspaceFolder): void {
    const key = folder.uri.toString();
    for (const watcher of this.#watchers.get(key) ?? []) watcher.dispose();
    this.#watchers.delete(key);
    this.#looks.delete(key);
    this.#collection.delete(fileOf(folder));
  }

  async #look(folder: WorkspaceFolder): Promise<void> {
    const key = folder.uri.toString();
    const turn = (this.#looks.get(key) ?? 0) + 1;
    this.#looks.set(key, turn);
    const uri = fileOf(folder);
    const files = projectFilesOf(folder.uri.fsPath);
    const document = openDocument(uri);
    try {
      const read = document?.isDirty
        ? { kind: 'read' as const, text: parseJsonText(new TextEncoder().encode(document.getText())) }
        : await files.read();
      const reading = await judgedProject(read, files);
      if (this.#looks.get(key) !== turn) return;
      this.#collection.set(uri, reading.kind === 'read' ? reading.findings.map(diagnosticOf) : []);
      await this.changed(folder);
    } catch (error) {
      this.onProblem(error);
    }
  }
}

function fileOf(folder: WorkspaceFolder): Uri {
  return Uri.joinPath(folder.uri, projectFile);
}
