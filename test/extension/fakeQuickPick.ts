/** What `window.createQuickPick` gives: a list in which these entries are picked as soon as it shows. */
export function fakeQuickPick<T>(picks: (items: readonly T[]) => readonly T[]): () => object {
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
        list.selectedItems = picks(list.items);
        accepted();
      },
      hide: () => hidden(),
      dispose: () => undefined,
    };
    return list;
  };
}
