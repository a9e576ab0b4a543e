import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import {
  createStreamRedactor,
  passedValues,
  unsaidIn,
  redactName,
  redactText,
  secretValues,
} from '../../../src/adapters/system/redact';

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

const mixed = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA';
const hex = '0123456789abcdef'.repeat(4);
/** Kind, what stands before it, the key, what stands behind it. */
const keys: readonly (readonly [kind: string, key: string])[] = [
  ['stripe', ['sk', 'live', mixed].join('_')],
  ['stripe', ['rk', 'test', mixed].join('_')],
  ['stripe', ['whsec', mixed].join('_')],
  ['gitlab', ['glpat', mixed.slice(0, 20)].join('-')],
  ['gitlab', ['glpat', `${mixed}.01.${mixed.slice(0, 9)}`].join('-')],
  ['gitlab', ['glrt', mixed.slice(0, 20)].join('-')],
  ['npm', ['npm', `${mixed}abcd`].join('_')],
  ['huggingface', ['hf', `${mixed}ab`].join('_')],
  ['azure', `abc8Q~${mixed}ab`],
  ['azure', [hex, mixed.slice(0, 12), 'AZ', 'DOa1b2'].join('')],
  ['twilio', ['SK', hex.slice(0, 32)].join('')],
  ['sendgrid', ['SG', mixed.slice(0, 22), `${mixed}abcdefghijk`].join('.')],
  ['pypi', ['pypi', `AgEIcHlwaS5vcmc${mixed}${mixed}`].join('-')],
  ['vault', ['hvs', mixed].join('.')],
  ['digitalocean', ['dop', 'v1', hex].join('_')],
  ['age', ['AGE', 'SECRET', 'KEY', `1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA'.repeat(2).slice(0, 58)}`].join('-')],
  ['private_key', ['MC4CAQAwBQYDK2VwBCIEI', mixed, hex].join('').slice(0, 64)],
  ['docker', ['dckr', 'pat', mixed].join('_')],
  ['github', github],
  ['anthropic', anthropic],
  ['aws', aws],
];

describe('keys of services', () => {
  for (const [kind, key] of keys) {
    it(`of ${kind} are found, plain, in JSON, in a line, and through what hides them`, () => {
      const middle = Math.floor(key.length / 2);
      const inside = (what: string): string => `${key.slice(0, middle)}${what}${key.slice(middle)}`;
      for (const text of [
        key,
        `x ${key} y`,
        `\u001b[31m${key}\u001b[0m`,
        `a\u0000${key}\u0000b`,
        JSON.stringify({ text: `first\n${key}\nlast` }),
        JSON.stringify({ text: `\u001b[1m${inside('\u001b[0m\u001b[32m')}\u0000` }),
        ...[
          '\u001b[1;31m',
          '\u0000',
          '\r',
          '\u00a0',
          '\u2009',
          '\u2800',
          '\u200b',
          '\ufeff',
          '\u00ad',
          '\u009b0m',
          '\u001b]8;;http://a.b\u0007',
          // What `tput sgr0` prints, and a string that a terminal takes whole.
          '\u001b(B\u001b[m',
          '\u001bP1$r\u001b\\',
          '\u{e0041}',
          '\u2060\u0007',
        ].map(inside),
      ]) {
        const result = redactText(text);
        const seen = result.text.replace(/\[redacted:[a-z_]+\]/g, '');
        assert.equal(result.kinds[kind], 1, JSON.stringify(text));
        for (const part of [key.slice(0, middle), key.slice(middle)]) assert.equal(seen.includes(part), false, seen);
        if (text.startsWith('{')) assert.doesNotThrow(() => JSON.parse(result.text));
      }
    });
  }

  it('in assignments without quotes, where the line says nothing else', () => {
    for (const text of [
      'secret: correcthorse',
      'export DB_PASSWORD=correcthorse',
      '  - api_key: correcthorse-battery',
      'client.secret = correcthorse',
      JSON.stringify({ text: 'one\nsecret: correcthorse\ntwo' }),
      JSON.stringify({ text: 'auth_token=correcthorse' }),
    ])
      assert.equal(redactText(text).text, text.replace(/correcthorse(?:-battery)?/, '[redacted:assignment]'), text);
    const program = [
      'password: string;',
      'password: string',
      'secret: true',
      'readonly password: PasswordField,',
      'password = getpass.getpass()',
      'const secret = readSecret();',
      'The secret: it is in the details',
      'password: undefined',
      'token: identifier',
      'passwordLength: 12',
      'api_key = my_api_key',
      'secret: ${{ vars.NAME }}',
      "assert.match(error, 'password: required')",
    ];
    for (const line of program) assert.equal(redactText(line).text, line);
  });

  it('are not seen in digests, ids, lock files and images', () => {
    const files = globSync([
      'package-lock.json',
      'node_modules/**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml}',
    ]);
    for (const file of files) assert.deepEqual(redactText(readFileSync(file, 'utf8')).kinds, {}, file);
    const bytes = createHash('sha512').update('seed').digest();
    let image = Buffer.alloc(0);
    for (let round = 0, block = bytes; round < 3000; round++) {
      image = Buffer.concat([image, block]);
      block = createHash('sha512').update(block).digest();
    }
    const lines = [
      `data:image/png;base64,${image.toString('base64')}`,
      image.toString('hex'),
      image.toString('base64url').replace(/(.{76})/g, '$1\n'),
      ...Array.from({ length: 2000 }, (_, at) => `commit ${image.subarray(at, at + 20).toString('hex')}`),
      ...Array.from({ length: 2000 }, (_, at) =>
        image
          .subarray(at, at + 16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      ),
      ...Array.from({ length: 500 }, (_, at) => `sha512-${image.subarray(at, at + 64).toString('base64')}`),
    ];
    for (const line of lines) assert.deepEqual(redactText(line).kinds, {}, line.slice(0, 60));
  });

  it('are found in time that grows linearly with the text', () => {
    const pieces = [
      'a',
      'A',
      '0',
      ' ',
      '"',
      '\u001b[',
      '\u001b[0m',
      '\u001b]',
      '\u0000',
      '\\u001b[',
      'sk_live_',
      'secret:',
      'secret: a',
      'api_key',
      '- - - ',
      'password.',
      'eyJ',
      'SG.',
      'a.b.',
      'Q~',
      '1Q~',
      '\\n',
      'hv',
      '://a:',
      'key=',
      '-----BEGIN PRIVATE KEY-----',
    ];
    // What is not linear here does not end before the test is ended.
    for (const piece of pieces) redactText(piece.repeat(Math.ceil(1_000_000 / piece.length)));
  });

  it('are looked for in a run of blanks that no person types as in one place, however long it is', () => {
    const length = 100_000;
    for (const blank of ['\u00a0', '\u2003', '\u200b', '\r', '\0', '\\r', '\\u00a0', '\u001b[0m', '\u001b'])
      assert.ok(searchesIn(() => redactText(blank.repeat(length))) < length / 50, JSON.stringify(blank));
    for (const hidden of ['\0\u001b[1m\0', '\u00a0'.repeat(700)])
      assert.equal(
        redactText(`${openai.slice(0, 9)}${hidden}${openai.slice(9)}`).redactions,
        1,
        JSON.stringify(hidden),
      );
  });

  it('in the name of a file leave a name that distinguishes it from others', () => {
    const one = redactName(`out/${github}.txt`);
    assert.match(one, /^out\/\[redacted:github\]\.txt~[0-9a-f]{12}$/);
    assert.notEqual(one, redactName(`out/${github.toUpperCase().replace('GHP', 'ghp')}.txt`));
    assert.equal(redactName('src/index.ts'), 'src/index.ts');
    assert.equal(redactName(one), one);
  });
});

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
      GIT_AUTHOR_NAME: 'Rear Admiral Grace Hopper',
      PROXY_AUTHORIZATION: 'Basic of-somebody',
    };
    const values = secretValues(environment);
    assert.deepEqual(values, ['say "please"\\now', 'first-line-1\nsecond-line-2', 'Basic of-somebody']);
    const text = JSON.stringify({ a: environment.MY_TOKEN, b: 'x second-line-2 y' });
    assert.deepEqual(redactText(text, values), {
      text: '{"a":"[redacted:environment]","b":"x [redacted:environment] y"}',
      redactions: 2,
      kinds: { environment: 2 },
    });
  });

  it('puts the name of a variable in place of its passed value, line by line, and keeps words and places', () => {
    const passed = passedValues({
      DB_LOGIN: 'Zebra-Quartz-77',
      LINES: 'first+line\r\nx\nsecond(line)',
      PIN: '12345',
      FLAG: 'true',
      BRANCH: 'main',
      NODE_ENV: 'production',
      DATA_DIR: '/srv/data/here',
    });
    const text = 'Zebra-Quartz-77 first+line second(line) 12345 true main production /srv/data/here x';
    assert.equal(
      redactText(text, passed).text,
      '[redacted:DB_LOGIN] [redacted:LINES] [redacted:LINES] 12345 true main production /srv/data/here x',
    );
    assert.equal(redactText(redactText(text, passed).text, passed).redactions, 0);
  });

  it('finds a passed value in an address, in hex and inside base64', () => {
    const value = 'Zebra Quartz/77';
    const passed = passedValues({ DB_LOGIN: value });
    const held = ['', 'a', 'ab', 'ada:'].flatMap((before) =>
      (['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(`${before}${value}, b`).toString(form)),
    );
    const hex = Buffer.from(value).toString('hex').toUpperCase();
    for (const text of [...held, encodeURIComponent(value), String(new URLSearchParams({ a: value })), hex]) {
      const found = redactText(text, passed);
      assert.equal(found.redactions, 1, text);
      assert.match(found.text, /^[\w=]{0,9}\[redacted:DB_LOGIN\]\w{0,7}=*$/, text);
    }
    assert.equal(redactText(Buffer.from('Zebra Quartz/76').toString('base64'), passed).redactions, 0);
  });

  it('leaves what a text says already, line by line, and a number inside a longer one', () => {
    const values = { DB_NAME: 'orders', LINES: 'said "here"\nunsaid here', PIN: '202611' };
    const said = JSON.stringify({ paths: ['src/orders/'], title: 'said "here"' });
    const text = 'src/orders/x.ts said "here" unsaid here 20261130T191023Z 202611';
    assert.equal(
      redactText(text, unsaidIn(said, passedValues(values))).text,
      'src/orders/x.ts said "here" [redacted:LINES] 20261130T191023Z [redacted:PIN]',
    );
    assert.equal(redactText('a tulips-4711 b', unsaidIn('x', ['tulips-4711'])).text, 'a [redacted:environment] b');
    assert.equal(redactText('a tulips-4711 b', unsaidIn('tulips-4711', ['tulips-4711'])).text, 'a tulips-4711 b');
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

  it('holds back at most one window of text, even when a key never ends', () => {
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

/** How often a regular expression is applied meanwhile, once for each match and once more. */
function searchesIn(work: () => unknown): number {
  const exec = Reflect.get<RegExp, 'exec'>(RegExp.prototype, 'exec');
  let searches = 0;
  RegExp.prototype.exec = function (text) {
    searches += 1;
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return searches;
}
