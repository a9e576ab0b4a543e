/** Types of scripts/house-rules.mjs, for the test that shows each rule going red. */
export const restrictions: Readonly<
  Record<string, readonly { readonly selector: string; readonly message: string }[] | undefined>
>;
