/** Swap, lock and backup files of editors: they come and go while a person types. */
export function isEditorLeftover(path: string): boolean {
  return /(^|\/)(\.[^/]+\.sw[a-px]|\.#[^/]+|#[^/]+#|[^/]+~|4913)$/.test(path);
}

/**
 * Returns whether an editor, a file manager or an interpreter leaves such a file by itself: nothing of a plan relies on
 * it.
 */
export function isLeftover(path: string): boolean {
  return isEditorLeftover(path) || /(^|\/)(\.DS_Store|Thumbs\.db|__pycache__\/.+)$/.test(path);
}
