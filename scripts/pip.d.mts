export function pipForTests(
  root: string,
): { readonly wheel: string; readonly missing?: never } | { readonly missing: string; readonly wheel?: never };
