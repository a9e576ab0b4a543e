export function pytestForTests(
  root: string,
):
  | { readonly python: string; readonly modules: string; readonly missing?: never }
  | { readonly missing: string; readonly python?: never; readonly modules?: never };
