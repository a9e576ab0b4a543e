/**
 * A union of objects that one field tells apart. `Fields` has the other fields of each under its name; `object`: it has
 * none.
 */
export type Variants<Tag extends string, Fields> = {
  [Name in keyof Fields]: { readonly [tag in Tag]: Name } & Readonly<Fields[Name]>;
}[keyof Fields];
