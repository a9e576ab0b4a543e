/** A union of objects that one field tells apart. `Fields`: the others of each, by its name; `object`: none. */
export type Variants<Tag extends string, Fields> = {
  [Name in keyof Fields]: { readonly [tag in Tag]: Name } & Readonly<Fields[Name]>;
}[keyof Fields];
