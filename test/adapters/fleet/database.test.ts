import assert from 'node:assert/strict';
import { openFleetDatabase } from '../../../src/adapters/fleet/database';

/** What a refusal says before anything is connected; null: the address itself is taken. */
async function refusalOf(url: string): Promise<string | null> {
  const opened = await openFleetDatabase(url, 'ask');
  if (opened.ok) await opened.value.close();
  const { reason = '' } = opened.ok ? {} : opened.refusal;
  return /not be encrypted|begins with/.exec(reason)?.[0] ?? null;
}

describe('the address of a fleet database', () => {
  it('is encrypted beyond this machine', async () => {
    const open = [
      'postgres://ada:word@db.example.com/fleet',
      'postgresql://db.example.com:5432/fleet?sslmode=disable',
      'postgres://ada:word@10.0.0.7/fleet?sslmode=prefer',
      'postgres://ada@localhost/fleet?host=db.example.com',
      'postgres://ada:word@localhost.example.com/fleet',
      'postgres://ada:word@127.0.0.1.example.com/fleet',
    ];
    for (const url of open) assert.equal(await refusalOf(url), 'not be encrypted', url);
    assert.equal(await refusalOf('mysql://db.example.com/fleet'), 'begins with');
  });

  it('may stay plain on this machine, where nothing listens here', async () => {
    const near = [
      'postgres://ada:word@localhost:1/fleet',
      'postgres://ada:word@127.0.0.1:1/fleet',
      'postgres://ada:word@[::1]:1/fleet',
      `postgres://ada:word@/fleet?host=${encodeURIComponent('/nowhere')}`,
      'postgres://ada:word@%2Fnowhere/fleet',
    ];
    for (const url of near) assert.equal(await refusalOf(url), null, url);
  });
});
