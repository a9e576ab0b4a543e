/** UUID v4. */
export const runIdPattern = '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$';

/** Each pattern of the schemas in words, because findings show no regular expressions. */
export const formWords: Readonly<Record<string, string>> = {
  [String.raw`^1\.\d+\.\d+$`]: 'a version like 1.0.0',
  '^[0-9A-F]{64}$': 'a SHA-256: 64 hexadecimal digits, letters in upper case',
  '^[0-9A-Fa-f]{64}$': 'a SHA-256: 64 hexadecimal digits',
  [runIdPattern]: 'a random UUID (version 4) like 3f2b8c1d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$':
    'a UUID in lower case like 3f2b8c1d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  '^[0-9a-f]{32}$': '32 hexadecimal digits in lower case',
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$':
    'an id: it begins with a letter or digit and has at most 80 letters, digits, dots, hyphens and underscores',
  [String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$`]:
    'a time like 2026-01-31T09:30:00Z',
  [String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`]: 'a time in UTC, to the second, like 2026-01-31T09:30:00Z',
};

/** The pattern of a text that must not be empty. `isBlank` finds invisible characters, too. */
export const filledPattern = String.raw`\S`;

/** Returns whether a text has only white space, control, zero-width and other invisible characters. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && blank.test(text);
}

const blank = /^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
