import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { hostOfUrl, partsOfHost, readHost } from '../../../src/adapters/launches/hosts';
import {
  hostOfConnect,
  lookupOutside,
  OwnAddress,
  targetOfRequest,
} from '../../../src/supervisor/network/providerNetwork';

describe('the hosts of a provider', () => {
  it('have one form, however they are written', () => {
    for (const [text, host] of [
      ['api.example.com', 'api.example.com:443'],
      ['API.Example.COM', 'api.example.com:443'],
      ['api.example.com.', 'api.example.com:443'],
      ['api.example.com:8443', 'api.example.com:8443'],
      ['127.0.0.1:4010', '127.0.0.1:4010'],
      ['[::1]:4010', '[::1]:4010'],
      ['[0:0:0:0:0:0:0:1]', '[::1]:443'],
      ['[::FFFF:127.0.0.1]', '[::ffff:7f00:1]:443'],
      ['localhost:80', 'localhost:80'],
      ['under_score.example', 'under_score.example:443'],
    ] as const)
      assert.equal(readHost(text), host, text);
  });

  it('do not count where another program could read another one', () => {
    const texts = [
      '',
      '.',
      'a..b',
      '-a.b',
      'a-.b',
      '*.example.com',
      'user@host',
      'user:pass@host:443',
      'host:',
      'host:0',
    ];
    const numbers = [
      'host:65536',
      'host:99999',
      'host:080',
      'host:+80',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
    ];
    const others = [
      '::1',
      '[::1',
      '[::1]443',
      '[fe80::1%eth0]',
      'host/path',
      'host?x',
      'host#x',
      'ho st',
      'host\n',
      'höst',
    ];
    const long = [`${'a'.repeat(64)}.example`, 'a.'.repeat(130), '127.0.0.256', '1.2.3'];
    for (const text of [...texts, ...numbers, ...others, ...long]) assert.equal(readHost(text), null, text);
  });

  it('are those of a base URL, with the port of its protocol', () => {
    for (const [url, host] of [
      ['https://gateway.example.com/v1', 'gateway.example.com:443'],
      ['http://127.0.0.1:4010', '127.0.0.1:4010'],
      ['http://gateway.example.com/', 'gateway.example.com:80'],
      ['https://user:secret@Gateway.Example.com:8443/x', 'gateway.example.com:8443'],
      ['ftp://gateway.example.com', null],
      ['gateway.example.com', null],
      ['', null],
    ] as const)
      assert.equal(hostOfUrl(url), host, url);
  });

  it('come apart for a connection', () => {
    assert.deepEqual(partsOfHost('api.example.com:443'), { name: 'api.example.com', port: 443 });
    assert.deepEqual(partsOfHost('[::1]:80'), { name: '::1', port: 80 });
  });
});

describe('what a worker asks a proxy for', () => {
  it('by CONNECT is a host with its port, and nothing else', () => {
    assert.equal(hostOfConnect('API.example.com.:443'), 'api.example.com:443');
    for (const target of [
      'api.example.com',
      'http://api.example.com:443',
      'x@api.example.com:443',
      '/',
      '*',
      ':443',
      '',
    ])
      assert.equal(hostOfConnect(target), null, target);
  });

  it('by a request is in its own line', () => {
    assert.deepEqual(targetOfRequest('http://API.example.com/a?b=c'), { host: 'api.example.com:80', path: '/a?b=c' });
    assert.deepEqual(targetOfRequest('http://api.example.com:8080?x'), { host: 'api.example.com:8080', path: '/?x' });
    assert.deepEqual(targetOfRequest('HTTP://[::1]:80'), { host: '[::1]:80', path: '/' });
    const none = ['/', '/path', 'https://api.example.com/', 'ftp://api.example.com/', 'http:///x', '*', 'http://a b/'];
    const confusing = [
      'http://x@api.example.com/',
      'http://api.example.com\\@evil.example/',
      'http://api.example.com#@evil/',
    ];
    for (const url of [...none, ...confusing]) assert.equal(targetOfRequest(url), null, url);
  });
});

describe('the addresses of a name', () => {
  const find = (name: string): Promise<readonly LookupAddress[]> =>
    new Promise((resolve, reject) =>
      lookupOutside(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found as LookupAddress[]))),
    );

  it('that say themselves where they lead are found', async () => {
    assert.ok((await find('localhost')).length > 0);
    assert.deepEqual(await find('192.0.2.1'), [{ address: '192.0.2.1', family: 4 }]);
    assert.deepEqual(await find('2001:db8::1'), [{ address: '2001:db8::1', family: 6 }]);
  });

  it('lead nowhere on this machine or its own link', async () => {
    const four = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255'];
    const six = ['::', '::1', 'fe80::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:169.254.169.254'];
    for (const address of [...four, ...six])
      await assert.rejects(find(address), (error) => error instanceof OwnAddress, address);
  });
});
