import assert from 'node:assert/strict';
import { requestRefusal } from '../../../src/adapters/events/guard';

describe('what is refused to every client', () => {
  it('is every name but those of the loopback, whichever port was forwarded', () => {
    const cases: readonly (readonly [number, string | undefined, string | null])[] = [
      [4711, '127.0.0.1:4711', null],
      [4711, 'LOCALHOST:4711', null],
      [4711, undefined, 'HOST_REFUSED'],
      [4711, '127.0.0.1', 'HOST_REFUSED'],
      [4711, 'localhost', 'HOST_REFUSED'],
      [4711, '127.0.0.1:04711', 'HOST_REFUSED'],
      [4711, 'localhost.:4711', 'HOST_REFUSED'],
      [4711, '[::1]:4711', 'HOST_REFUSED'],
      [4711, 'a@127.0.0.1:4711', 'HOST_REFUSED'],
      [4711, '127.0.0.1:4711, attacker.example', 'HOST_REFUSED'],
      // Every client leaves out the port that HTTP has by itself.
      [80, '127.0.0.1', null],
      [80, 'localhost', null],
      [80, '127.0.0.1:80', null],
      [80, 'attacker.example', 'HOST_REFUSED'],
      // Forwarded from another port of the machine where the browser runs.
      [4711, '127.0.0.1:49231', null],
      [80, 'localhost:4711', null],
      [4711, '127.0.0.1:', 'HOST_REFUSED'],
      [4711, '127.0.0.1:123456', 'HOST_REFUSED'],
    ];
    for (const [port, host, code] of cases) {
      const headers = host === undefined ? {} : { host };
      const refusal = requestRefusal({ method: 'GET', headers, path: '/' }, port);
      assert.equal(refusal?.code ?? null, code, `${host} at ${port}`);
    }
  });

  it('is no page of its own, also where its origin names no port', () => {
    const asked = (origin: string): string | undefined =>
      requestRefusal({ method: 'GET', headers: { host: 'localhost', origin }, path: '/' }, 80)?.code;
    assert.equal(asked('http://localhost'), undefined);
    for (const other of ['http://127.0.0.1', 'http://localhost:8080', 'https://localhost', 'null', ''])
      assert.equal(asked(other), 'ORIGIN_REFUSED', other);
  });
});
