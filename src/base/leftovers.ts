/** Swap, lock and backup files of editors: they come and go while a person types. */
export function isEditorLeftover(path: string): boolean {
  return /(^|\/)(\.[^/]+\.sw[a-px]|\.#[^/]+|#[^/]+#|[^/]+~|4913)$/.test(path);
}

/** Returns whether an editor or a file manager leaves files of such a name by itself. */
export function isDeskFile(path: string): boolean {
  return isEditorLeftover(path) || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path);
}

/** The same, or an interpreter leaves it: nothing of a plan relies on it. */
export function isLeftover(path: string): boolean {
  return isDeskFile(path) || /(^|\/)__pycache__\/.+$/.test(path);
}
