export type OwnTexts = Readonly<Partial<Record<string, string>>>;

/**
 * The texts that an object from elsewhere has itself under these names; null: it is no object, one of them is no text,
 * or it cannot be looked at. None of its getters runs, and nothing of its prototype counts.
 */
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
    // A proxy may throw whatever it likes.
    return null;
  }
  return texts;
}
