/**
 * Drops from a `config` file the keys that editors keep per branch: the Git extension's
 * `branch.<name>.vscode-merge-base`, those of pull-request and Git tools. Git itself ignores them. Drops only whole
 * one-line entries below a `[branch "..."]` header, and headers that become empty.
 */
export function withoutEditorKeys(text: string): string {
  const kept: string[] = [];
  let inBranch = false;
  let continued = false;
  for (const line of text.split('\n')) {
    const wasContinued = continued;
    continued = /\\\r?$/.test(line);
    if (wasContinued) {
      kept.push(line);
      continue;
    }
    if (/^\s*\[/.test(line)) inBranch = /^\s*\[\s*branch\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/i.test(line);
    if (inBranch && !continued && editorKey.test(line)) continue;
    kept.push(line);
  }
  return withoutEmptyBranches(kept).join('\n');
}

const editorKey = /^\s*(?:vscode-[a-z0-9-]+|gk-[a-z0-9-]+|github-pr-[a-z0-9-]+)\s*=/i;
const branchHeader = /^\s*\[\s*branch\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/i;

function withoutEmptyBranches(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let entriesFollow = false;
  for (const line of lines.toReversed()) {
    if (branchHeader.test(line) && !entriesFollow) continue;
    kept.push(line);
    if (/^\s*\[/.test(line)) entriesFollow = false;
    else if (line.trim() !== '') entriesFollow = true;
  }
  return kept.toReversed();
}
