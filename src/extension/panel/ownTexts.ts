export type OwnTexts = Readonly<Partial<Record<string, string>>>;

/** Runs no getter and ignores the prototype. Null: no object, a member that is no text, or it cannot be read. */
export function ownTexts(of: unknown, names: readonly string[]): OwnTexts | null {
  if (typeof of !== 'object' || of === null) return null;
  const texts: Record<string, string> = {};
  try {
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(of, name);
      if (property === undefined) continue;
      if (typeof property.value !== 'string') return null;
      texts[name] = property.value;
    }
  } catch {
    // A proxy may throw anything.
    return null;
  }
  return texts;
}
