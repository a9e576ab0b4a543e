export function pnpmForTests(
  root: string,
  major: 10 | 12,
): { readonly file: string; readonly missing?: never } | { readonly missing: string; readonly file?: never };
