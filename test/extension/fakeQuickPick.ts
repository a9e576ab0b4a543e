/** What `window.createQuickPick` gives: a list in which these entries are picked as soon as it shows; null: it is closed. */
export function fakeQuickPick<T>(picks: (items: readonly T[]) => readonly T[] | null): () => object {
  return () => {
    let accepted = (): void => undefined;
    let hidden = (): void => undefined;
    const list = {
      items: [] as readonly T[],
      selectedItems: [] as readonly T[],
      onDidAccept: (listener: () => void) => void (accepted = listener),
      onDidHide: (listener: () => void) => void (hidden = listener),
      onDidChangeActive: () => undefined,
      show() {
        const picked = picks(list.items);
        list.selectedItems = picked ?? [];
        if (picked) accepted();
        else hidden();
      },
      hide: () => hidden(),
      dispose: () => undefined,
    };
    return list;
  };
}
