/**
 * What a secret looks like. Every repetition is bounded and every pattern begins with a literal that a long run
 * of text cannot begin again and again, so that the time is linear in the text. No match contains an unescaped
 * quote: a redacted line of JSON stays JSON. `value`: only the last group goes, else the whole match.
 */
export interface SecretPattern {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly value?: true;
}

export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'private_key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.]|\\[nrt]|-(?!----)){0,14000}(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { kind: 'anthropic', pattern: /sk-ant-[\w-]{16,1000}/g },
  { kind: 'openai', pattern: /(?<![A-Za-z0-9_-])sk-(?!ant-)[A-Za-z0-9_-]{20,1000}/g },
  { kind: 'github', pattern: /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{30,255}/g },
  { kind: 'github', pattern: /github_pat_\w{20,255}/g },
  { kind: 'aws', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  { kind: 'slack', pattern: /(?<![A-Za-z0-9-])xox[abeoprs]-[A-Za-z0-9-]{10,255}/g },
  { kind: 'google', pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/g },
  { kind: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{8,6000}\.eyJ[\w-]{8,6000}\.[\w-]{0,2000}/g },
  {
    kind: 'authorization',
    pattern: /(?<![A-Za-z])(?:[Bb]earer|[Bb]asic) {1,3}([A-Za-z0-9+/=_.~-]{16,4000})/g,
    value: true,
  },
  { kind: 'url_password', pattern: /:\/\/[^\s:@/"'\\]{1,100}:((?!\[redacted:)[^\s@/"'\\]{3,200})(?=@)/g, value: true },
  // name = "value": anything in quotes counts
  {
    kind: 'assignment',
    pattern:
      /(?:api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|secret|token|passw(?:or)?d|credential)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']((?!\[redacted:)[^"'\\\n]{8,4000})(?=\\?["'])/gi,
    value: true,
  },
  // name=value: with a digit in it, or it is ordinary program text
  {
    kind: 'assignment',
    pattern:
      /(?:api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|secret|token|passw(?:or)?d|credential)[ \t]{0,4}[:=][ \t]{0,4}(?=[A-Za-z+/=_.~-]{0,200}\d)([A-Za-z0-9+/=_.~-]{8,4000})/gi,
    value: true,
  },
];

/** No match is longer; what two chunks share is kept back this long. */
export const longestSecret = 16 * 1024;
