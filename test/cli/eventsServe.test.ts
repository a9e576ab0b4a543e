import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { streamEventSchema } from '../../src/contracts/record/streamEvent';
import { ask, type Received } from '../support/eventClient';
import { tear } from '../support/tear';
import { CliBed, until } from './cliBed';
import { serve, type Served } from './servedBed';

const writes = (bed: CliBed, gate: string): string =>
  `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); ${bed.waitAt(gate)} fs.writeFileSync('docs/out/a.md', 'a');`;
const done = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.md', 'a');`;
const decision = ['--by', 'Ada', '--reason', 'tests'] as const;

describe('mission events serve', () => {
  let bed: CliBed;
  let served: Served;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  it('sends what a mission does while another process runs it, to twenty clients of which one reads nothing', async () => {
    served = await serve(bed);
    const silent = await served.follow('/events', {}, false);
    const clients = await Promise.all(Array.from({ length: 19 }, () => served.follow('/events')));
    const run = bed.start('run', bed.plan('LIVE', [{ script: writes(bed, 'gate') }]), '--by', 'Ada');
    // The clients see it while it happens.
    await Promise.all(clients.map((client) => client.sees(({ data }) => data.includes('"WorkerStarted"'))));
    await bed.waitsAt('gate');
    bed.open('gate');
    assert.equal((await run.ended).code, 0);
    await Promise.all(clients.map((client) => client.sees(({ data }) => data.includes('"MissionReported"'))));
    const missionId = await bed.missionId();
    const journal = await bed.events(missionId);
    for (const { events } of clients) assert.deepEqual(ids(events), idsOf(missionId, journal.length));
    for (const { name, data } of clients[0]?.events ?? []) {
      const event = streamEventSchema.parse(JSON.parse(data));
      assert.equal(event.type, name);
    }
    for (const client of [silent, ...clients]) client.leave();
    served.kill('SIGINT');
    assert.equal((await served.ended).code, 0);
  });

  it('goes on after a disconnect without loss or duplicate, and sends all missions from the start', async () => {
    await bed.mission('run', bed.plan('ONE', [{ script: `` }]), '--by', 'Ada');
    await bed.mission('acknowledge', await bed.missionId(), ...decision);
    served = await serve(bed);
    const all = await served.follow('/events?from=start');
    const one = await bed.missionId();
    const count = (await bed.events(one)).length;
    await all.has(count);
    const first = await served.follow('/events');
    const run = bed.start('run', bed.plan('TWO', [{ script: writes(bed, 'gate') }]), '--by', 'Ada');
    await first.sees(({ data }) => data.includes('"WorkerStarted"'));
    first.leave();
    await bed.waitsAt('gate');
    bed.open('gate');
    await run.ended;
    const id = first.events.at(-1)?.id ?? '';
    const second = await served.follow('/events', { 'last-event-id': id });
    await second.sees(({ data }) => data.includes('"MissionReported"'));
    const two = id.slice(0, id.indexOf(':'));
    const journal = await bed.events(two);
    assert.deepEqual(ids([...first.events, ...second.events]), idsOf(two, journal.length));
    await all.has(count + journal.length);
    assert.deepEqual(ids(all.events), [...idsOf(one, count), ...idsOf(two, journal.length)]);
    // One that left before it saw anything goes on where it was, not where the journal is now.
    const early = await served.follow('/events');
    await until(() => early.lastEventId);
    assert.equal(early.lastEventId, `${two}:${journal.length}`);
    // One mission alone.
    const alone = await served.follow(`/events?from=start&mission=${one}`);
    assert.deepEqual(ids(await alone.has(count)), idsOf(one, count));
    // Places that the server never gave, and forged ones.
    for (const forged of [`${two}:0`, `${two}:${journal.length + 1}`, 'x', `${two}:1e1`, 'approvals:1', `${two}:1;`]) {
      const { status, body } = await served.get('/events', { 'last-event-id': forged });
      assert.deepEqual([status, codeOf(body)], [400, 'EVENT_ID_UNKNOWN'], forged);
    }
    // A mission that is not there is answered, because a stream of it would be silent for ever.
    for (const unknown of ['TWO', `${two}x`, `${two}:1`]) {
      const { status, body } = await served.get(`/events?from=start&mission=${encodeURIComponent(unknown)}`);
      assert.deepEqual([status, codeOf(body)], [404, 'NOT_THERE'], unknown);
    }
    const asked = await served.get('/events?from=end');
    assert.deepEqual([asked.status, codeOf(asked.body)], [400, 'REQUEST_INVALID']);
    assert.match(asked.body, /mission=ID.*from=now.*from=start/);
    for (const client of [all, second, early, alone]) client.leave();
    served.kill('SIGTERM');
    assert.equal((await served.ended).code, 0);
  });

  // oxlint-disable-next-line house/plain-words -- test/tiers.json names the title.
  it('refuses whoever has no token, another name, another site, and everything that is no GET', async () => {
    served = await serve(bed);
    const { url, port, token } = served;
    const bearer = { authorization: `Bearer ${token}` };
    const half = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    const cases: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
      [{}, 401, 'NOT_SIGNED_IN'],
      [{ authorization: `Bearer ${half}` }, 401, 'NOT_SIGNED_IN'],
      [{ authorization: token }, 401, 'NOT_SIGNED_IN'],
      [{ cookie: `mission_control=${token}` }, 401, 'NOT_SIGNED_IN'],
      [{ ...bearer, host: 'attacker.example' }, 403, 'HOST_REFUSED'],
      [{ ...bearer, host: `attacker.example:${port}` }, 403, 'HOST_REFUSED'],
      [{ ...bearer, host: '127.0.0.1' }, 403, 'HOST_REFUSED'],
      [{ ...bearer, host: `127.0.0.1.nip.io:${port}` }, 403, 'HOST_REFUSED'],
      [{ ...bearer, origin: 'https://attacker.example' }, 403, 'ORIGIN_REFUSED'],
      [{ ...bearer, origin: 'null' }, 403, 'ORIGIN_REFUSED'],
      [{ ...bearer, origin: `http://127.0.0.1:${port + 1}` }, 403, 'ORIGIN_REFUSED'],
      [{ ...bearer, 'sec-fetch-site': 'cross-site' }, 403, 'ORIGIN_REFUSED'],
      [{ ...bearer, 'sec-fetch-site': 'same-site' }, 403, 'ORIGIN_REFUSED'],
    ];
    for (const path of ['/', '/events', '/health', '/panel', '/page.js', '/link'])
      for (const [headers, status, code] of cases) {
        const answer = await ask(`${url}${path}`, headers);
        assert.deepEqual([answer.status, codeOf(answer.body)], [status, code], `${path} ${JSON.stringify(headers)}`);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await ask(`${url}/events`, bearer, method);
      assert.deepEqual(
        [answer.status, codeOf(answer.body), answer.headers.allow],
        [405, 'ONLY_READING', 'GET'],
        method,
      );
    }
    for (const path of [
      '/events?x=1',
      '/events?from=start&from=now',
      '/events?mission=',
      '/range',
      '/range?said=%7B',
      '/text?said=7',
    ])
      assert.equal((await served.get(path)).status, 400, path);
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/page.js.map', '//attacker.example/', '/x'])
      assert.equal((await served.get(path)).status, 404, path);
    assert.equal((await served.get('/health', { origin: url })).status, 200);
    // Only the loopback listens, and the token is in no argument; elsewhere nothing shows that so easily.
    if (process.platform === 'linux') {
      const tcp = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
      const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
      const listening = tcp.split('\n').flatMap((line) => {
        const [, local = '', , state] = line.trim().split(/\s+/);
        return state === '0A' && local.endsWith(hex) ? [local] : [];
      });
      assert.deepEqual(listening, [`0100007F${hex}`]);
      const argv =
        readFileSync(`/proc/${served.pid}/cmdline`, 'utf8') + readFileSync(`/proc/${served.pid}/environ`, 'utf8');
      assert.ok(!argv.includes(token));
    }
    for (const file of filesUnder(bed.scratch)) assert.ok(!readFileSync(file).includes(token), file);
    const second = await bed.mission('events', 'serve', '--port', String(port));
    assert.deepEqual([second.code, second.json.code], [4, 'PORT_UNAVAILABLE']);
    served.kill('SIGINT');
    assert.equal((await served.ended).code, 0);
  });

  it('lets a browser in by a link, once', async () => {
    served = await serve(bed);
    const { url, link } = served;
    const opened = await ask(link, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    assert.equal(opened.status, 200);
    const [, prefix = ''] =
      /^mission_control=[\w-]{43}; HttpOnly; SameSite=Strict; Path=(\/[\w-]{43}\/)$/.exec(cookie) ?? [];
    assert.ok(prefix, cookie);
    assert.ok(opened.body.includes(`url=${prefix}"`) && !opened.body.includes('code='));
    assert.equal(opened.headers['referrer-policy'], 'no-referrer');
    const again = await ask(link);
    assert.deepEqual([again.status, codeOf(again.body), again.headers['set-cookie']], [401, 'LINK_USED', undefined]);
    for (const wrong of ['', '?code=', '?code=x', `?code=${'A'.repeat(43)}`])
      assert.equal((await ask(`${url}/open${wrong}`)).status, 401, wrong);
    const browser = { cookie: cookie.slice(0, cookie.indexOf(';')) };
    const page = await ask(`${url}${prefix}`, browser);
    assert.equal(page.status, 200);
    // No cache stores it, and no referrer shows its path.
    assert.deepEqual([page.headers['cache-control'], page.headers['referrer-policy']], ['no-store', 'no-referrer']);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'nonce-[^']+'; connect-src 'self'; /);
    assert.ok(!/unsafe|\*/.test(policy));
    assert.notEqual((await ask(`${url}${prefix}`, browser)).headers['content-security-policy'], policy);
    // A browser lets in no other; from a page of another site its cookie is nothing.
    for (const path of ['link', 'open']) assert.equal((await ask(`${url}${prefix}${path}`, browser)).status, 404, path);
    assert.equal((await ask(`${url}${prefix}health`, { ...browser, 'sec-fetch-site': 'same-site' })).status, 403);
    const next = await ask((await served.get('/link')).body.trim());
    assert.equal(next.status, 200);
    // A client that sees one cookie, or guesses, gets nothing: neither at the paths of the token nor at those of
    // another browser.
    const [, other = ''] = /Path=(.*)$/.exec(String(next.headers['set-cookie'])) ?? [];
    assert.notEqual(other, prefix);
    for (const path of ['/', '/events', '/health', '/panel', '/page.js', '/link', other, `${other}panel`])
      assert.equal((await ask(`${url}${path}`, browser)).status, 401, path);
    for (const path of [prefix, `${prefix}health`, `/${prefix}health`, `${prefix}/health`, prefix.slice(0, -1)])
      assert.notEqual((await ask(`${url}${path}`)).status, 200, path);
    // The token is for programs, at the paths that the command prints.
    assert.equal((await served.get(`${prefix}health`)).status, 401);
    served.kill('SIGINT');
    await served.ended;
  });

  it('reports a journal that cannot be read, goes on, and takes up one that appears', async () => {
    await bed.mission('run', bed.plan('TORN', [{ script: `` }]), '--by', 'Ada');
    const missionId = await bed.missionId();
    const count = (await bed.events(missionId)).length;
    tear(bed.at('.mission-control/state.db'), `UPDATE entries SET event = '{torn' WHERE seq = 3`);
    served = await serve(bed);
    const client = await served.follow('/events?from=start');
    const events = await client.has(count);
    assert.deepEqual(ids(events), idsOf(missionId, count));
    const torn = JSON.parse(events[2]?.data ?? '') as {
      readonly type: string;
      readonly payload: { readonly data: { readonly code: string } };
    };
    assert.deepEqual([torn.type, torn.payload.data.code], ['error', 'STATE_STORE_CORRUPT']);
    const panel = await served.follow('/panel');
    const [snapshot] = await panel.has(1);
    assert.match(snapshot?.data ?? '', /"group":"unreadable"/);
    assert.equal((await served.get('/health')).status, 200);
    // Nothing that asks for more than the last snapshot shows is answered.
    for (const said of [
      { type: 'open', entry: '../../etc/passwd', target: { kind: 'plan' } },
      { type: 'open', entry: `mission ${missionId} ${bed.root}`, target: { kind: 'file', task_id: 'T1', index: 0 } },
      { type: 'range', entry: 'mission x', from: 1, count: 10 },
    ]) {
      const path = said.type === 'range' ? '/range' : '/text';
      const { status } = await served.get(`${path}?${new URLSearchParams({ said: JSON.stringify(said) }).toString()}`);
      assert.equal(status, 404, JSON.stringify(said));
    }
    served.kill('SIGINT');
    assert.equal((await served.ended).code, 0);
    await Promise.all([client.gone, panel.gone]);
  });

  it('sends nothing that a name in a journal forged, and of one mission nothing of the workspace', async () => {
    await bed.mission('run', bed.plan('REAL', [{ script: `` }]), '--by', 'Ada');
    const missionId = await bed.missionId();
    const count = (await bed.events(missionId)).length;
    const forged = 'x\n\nevent: status\ndata: forged\n\nid: y';
    tear(
      bed.at('.mission-control/state.db'),
      `INSERT OR IGNORE INTO entries (stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, seal, event)
       SELECT name, 1, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, seal, event
       FROM entries, (SELECT '${forged}' AS name UNION SELECT 'approvals') WHERE stream = '${missionId}' AND seq = 2`,
    );
    served = await serve(bed);
    const all = await served.follow('/events?from=start');
    await all.has(count + 1);
    // An event that cannot be named comes in its place, without a name to come back with.
    assert.deepEqual(ids(all.events), [...idsOf(missionId, count), null]);
    const last = streamEventSchema.parse(JSON.parse(all.events.at(-1)?.data ?? ''));
    assert.deepEqual([last.type, last.id], ['error', `${forged}:1`]);
    assert.equal(all.lastEventId, `${missionId}:${count}`);
    // Who begins now can come back.
    const late = await served.follow('/events');
    await until(() => late.lastEventId);
    assert.equal(late.lastEventId, `${missionId}:${count}`);
    const workspace = await served.follow('/events?from=start&mission=approvals');
    served.kill('SIGTERM');
    assert.equal((await served.ended).code, 0);
    await Promise.all([all, late, workspace].map(({ gone }) => gone));
    assert.deepEqual(workspace.events, []);
  });

  it('waits for the first mission of a folder without any, and leaves nothing there', async () => {
    served = await serve(bed);
    const client = await served.follow('/events');
    const { body } = await served.get('/health');
    assert.deepEqual([(JSON.parse(body) as { ok: boolean }).ok, bed.exists('.mission-control')], [true, false]);
    await bed.mission('run', bed.plan('FIRST', [{ script: done }]), '--by', 'Ada');
    await client.sees(({ data }) => data.includes('"MissionReported"'));
    const missionId = await bed.missionId();
    assert.deepEqual(ids(client.events), idsOf(missionId, (await bed.events(missionId)).length));
    client.leave();
    served.kill('SIGTERM');
    assert.equal((await served.ended).code, 0);
  });
});

function ids(events: readonly Received[]): readonly (string | null)[] {
  return events.map(({ id }) => id);
}

function idsOf(missionId: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${missionId}:${index + 1}`);
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { readonly code: string }).code;
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
