/**
 * What a secret looks like. Repetitions are bounded. A pattern's first literal cannot match at every character of a
 * long run. So a search takes linear time. No match contains an unescaped quote: a redacted line of JSON stays JSON.
 * `value`: only the last group is the secret, else the whole match.
 */
export interface SecretPattern {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly value?: true;
  /** The pattern is tried only on a text that contains this. */
  readonly needs?: string;
}

export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'private_key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.]|\\[nrt]|-(?!----)){0,14000}(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  // An Ed25519 key as PKCS #8, also the token of an orchestrator session.
  { kind: 'private_key', pattern: /MC4CAQAwBQYDK2VwBCIEI[\w+/-]{43}/g },
  { kind: 'anthropic', pattern: /sk-ant-[\w-]{16,1000}/g },
  { kind: 'openai', pattern: /(?<![A-Za-z0-9_-])sk-(?!ant-)[A-Za-z0-9_-]{20,1000}/g },
  { kind: 'github', pattern: /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{30,255}/g },
  { kind: 'github', pattern: /github_pat_\w{20,255}/g },
  { kind: 'aws', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  { kind: 'slack', pattern: /(?<![A-Za-z0-9-])xox[abeoprs]-[A-Za-z0-9-]{10,255}/g },
  { kind: 'google', pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/g },
  { kind: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{8,6000}\.eyJ[\w-]{8,6000}\.[\w-]{0,2000}/g },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,255}/g },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{24,255}/g },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9])gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[\w.-]{20,400}/g },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9])GR1348941[\w-]{20,100}/g },
  { kind: 'npm', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'huggingface', pattern: /(?<![A-Za-z0-9])(?:hf_|api_org_)[A-Za-z0-9]{34,64}(?![A-Za-z0-9])/g },
  { kind: 'azure', pattern: /(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,40}/g, needs: 'Q~' },
  { kind: 'azure', pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})/g, value: true },
  { kind: 'azure', pattern: /(?:[?&]|\\u0026)sig=([A-Za-z0-9%+/]{40,100}={0,2})/g, value: true },
  { kind: 'azure', pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g, needs: 'AZDO' },
  { kind: 'twilio', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  { kind: 'sendgrid', pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{16,64}/g, needs: 'SG.' },
  { kind: 'pypi', pattern: /pypi-AgE[\w-]{50,1000}/g },
  { kind: 'vault', pattern: /(?<![A-Za-z0-9_])hv[sbr]\.[\w-]{24,400}/g },
  { kind: 'digitalocean', pattern: /(?<![A-Za-z0-9])do[opr]_v1_[0-9a-f]{64}/g },
  { kind: 'age', pattern: /AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,2200}/gi },
  { kind: 'docker', pattern: /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[\w-]{27,64}/g },
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
  // name=value: only with a digit in it, else ordinary program text matches
  {
    kind: 'assignment',
    pattern:
      /(?:api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|secret|token|passw(?:or)?d|credential)[ \t]{0,4}[:=][ \t]{0,4}(?=[A-Za-z+/=_.~-]{0,200}\d)([A-Za-z0-9+/=_.~-]{8,4000})/gi,
    value: true,
  },
  // A line that is nothing but `secret: word`, unless the word is a type, a state or another placeholder.
  {
    kind: 'assignment',
    pattern:
      /(?<=(?:^|["'])[ \t]{0,40}(?:[-+#>*][ \t]{0,4}|export[ \t]{1,4}){0,2}(?:[\w.-]{0,60}[_.-])?)(?:secret|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key|access[_-]?token|auth[_-]?token)[ \t]{0,4}[:=][ \t]{0,4}((?!\[redacted:|(?:string|number|boolean|unknown|undefined|null|none|true|false|required|optional|missing|invalid|expired|incorrect|wrong|accepted|rejected|changed|updated|generated|hidden|private|public|default|example|process|options|config|params|props|this|self|request|input|value|object|readonly)(?![A-Za-z0-9])|[\w.-]{0,60}(?:secret|passw(?:or)?d|token|_key|apikey))[^\s"'\\`,;:(){}[\]<>$]{6,200})(?=[ \t]{0,8}(?:$|["']))/gim,
    value: true,
  },
];

/** A pattern recognises no value by a name without one of these. */
export const secretNames = /key|secret|token|passw|passphrase|credential/i;

/** Longer than any real secret; the stream redactor holds back as much to find secrets across two chunks. */
export const longestSecret = 16 * 1024;
