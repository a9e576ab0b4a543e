/** Says how files that are hard links become copies, by where such links lie; whole sentences. */
export function mendHardLinks(path: string): string {
  const after = 'then remove that folder and install again.';
  if (/(?:^|\/)node_modules\/\.pnpm(?:\/|$)/.test(path))
    return `With pnpm set \`package-import-method=copy\` (.npmrc, or \`packageImportMethod: copy\` in pnpm-workspace.yaml), ${after}`;
  if (/(?:^|\/)node_modules(?:\/|$)/.test(path))
    return `With pnpm set \`package-import-method=copy\`, with Bun install by \`bun install --backend=copyfile\`, with Yarn set \`nmMode: classic\`, ${after}`;
  if (/(?:^|\/)(?:site-packages|\.venv|conda-meta)(?:\/|$)/.test(path))
    return `With uv set \`link-mode = "copy"\` (or UV_LINK_MODE=copy), with conda \`always_copy: true\`, ${after}`;
  return 'Replace that folder by a copy of itself (`cp -a FOLDER COPY`), in which each file is one of its own.';
}
