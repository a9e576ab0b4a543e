export function bubblewrapForTests(
  root: string,
  searched?: string,
): { readonly file: string; readonly missing?: never } | { readonly missing: string; readonly file?: never };

export function newerBubblewrapForTests(
  root: string,
): { readonly file: string; readonly missing?: never } | { readonly missing: string; readonly file?: never };
