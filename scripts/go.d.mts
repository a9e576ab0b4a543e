export function goForTests(
  root: string,
  searched?: string,
): { readonly folder: string; readonly missing?: never } | { readonly missing: string; readonly folder?: never };
