import assert from 'node:assert/strict';
import { createStreamRedactor, redactText, secretValues } from '../../src/adapters/redact';

// Put together here, so that no scanner takes this file for a leak.
const aws = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const openai = ['sk-', 'proj-', 'abcdEFGH1234ijklMNOP5678'].join('');
const anthropic = ['sk-', 'ant-api03-', 'abcdEFGH1234ijklMNOP5678'].join('');
const github = ['ghp', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
const slack = ['xoxb', '-123456789012-abcdefABCDEF'].join('');
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'c2lnbmF0dXJlLXNpZ25hdHVyZQ'].join('.');
const begin = ['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ');
const end = ['-----END', 'RSA PRIVATE KEY-----'].join(' ');
const pem = `${begin}\n${'MIIEpAIBAAKCAQEA0123456789abcdef+/==\n'.repeat(25)}${end}`;

describe('redaction', () => {
  const secrets: readonly (readonly [kind: string, text: string, secret: string])[] = [
    ['aws', `id ${aws} here`, aws],
    ['openai', `key=${openai};`, openai],
    ['anthropic', `"${anthropic}"`, anthropic],
    ['github', github, github],
    ['slack', `hook ${slack}`, slack],
    ['jwt', `Cookie: ${jwt}`, jwt],
    ['private_key', `before\n${pem}\nafter`, pem],
    ['private_key', JSON.stringify({ pem }), JSON.stringify(pem).slice(1, -1)],
    ['authorization', 'Authorization: Bearer abcdefghij0123456789', 'abcdefghij0123456789'],
    ['url_password', 'https://user:pa55word@host/x', 'pa55word'],
    ['assignment', 'export DB_PASSWORD=abc12345xyz', 'abc12345xyz'],
    ['assignment', '{"client_secret":"correct horse battery"}', 'correct horse battery'],
    ['assignment', '{"text":"{\\"api_key\\": \\"abcd-efgh-ijkl\\"}"}', 'abcd-efgh-ijkl'],
  ];
  for (const [kind, text, secret] of secrets) {
    it(`finds ${kind}: ${text.slice(0, 24).replace(/\n/g, ' ')}`, () => {
      const result = redactText(text);
      assert.equal(result.text.includes(secret), false);
      assert.ok(result.text.includes('[redacted:'), result.text);
      assert.equal(result.redactions, 1);
      if (text.startsWith('{')) assert.doesNotThrow(() => JSON.parse(result.text));
      assert.equal(redactText(result.text).redactions, 0);
    });
  }

  it('leaves ordinary text alone', () => {
    const ordinary = [
      '{"usage":{"input_tokens":123456789,"cache_read_input_tokens":12345678,"output_tokens":42}}',
      'session 8c3f1b1e-7b1a-4c61-9e54-0d5a3f0f1c2d, sha256 E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
      'const token = readToken(); let password = undefined; monkey = banana; tokenizer: WordPiece',
      'risk-assessment-of-the-whole-thing task-force-something-long-here',
      'https://example.org/a:b/c@d and ssh://git@host/x',
    ].join('\n');
    assert.equal(redactText(ordinary).text, ordinary);
  });

  it('finds the values of secret variables, as they are and as they stand in JSON', () => {
    const environment = {
      MY_TOKEN: 'say "please"\\now',
      SHORT_KEY: 'abc',
      PATH: '/usr/bin:/bin',
      KEY_FILE: '/etc/keys/one',
      LINES_SECRET: 'first-line-1\nsecond-line-2',
      EMPTY: undefined,
    };
    const values = secretValues(environment);
    assert.deepEqual(values, ['say "please"\\now', 'first-line-1\nsecond-line-2']);
    const text = JSON.stringify({ a: environment.MY_TOKEN, b: 'x second-line-2 y' });
    assert.deepEqual(redactText(text, values), {
      text: '{"a":"[redacted:environment]","b":"x [redacted:environment] y"}',
      redactions: 2,
      kinds: { environment: 2 },
    });
  });

  it('a stream gives the same in chunks of any size', () => {
    const text = `${'words and words\n'.repeat(50)}${openai} and ${github}\n${pem}\n${'x'.repeat(200_000)} ${jwt} ${'y'.repeat(100_000)}\nlast ${slack}`;
    const whole = redactText(text);
    assert.equal(whole.redactions, 5);
    for (const size of [1, 7, 1000, 65_536]) {
      const redactor = createStreamRedactor();
      let result = '';
      for (let at = 0; at < text.length; at += size) result += redactor.push(text.slice(at, at + size));
      result += redactor.end();
      assert.equal(result === whole.text, true, `chunks of ${size}`);
      assert.deepEqual(redactor.counts(), { redactions: whole.redactions, kinds: whole.kinds });
    }
  });

  it('does not hold back more than a window, whatever never ends', () => {
    for (const piece of ['a', `${begin}\n`, 'MIIE\n', 'eyJ', 'token=', '"']) {
      const redactor = createStreamRedactor();
      const fed = piece.repeat(Math.ceil(1_000_000 / piece.length));
      let out = 0;
      for (let at = 0; at < fed.length; at += 4096) out += redactor.push(fed.slice(at, at + 4096)).length;
      assert.ok(out > 0, piece);
      assert.ok(redactor.end().length < 150_000, piece);
    }
  });
});
