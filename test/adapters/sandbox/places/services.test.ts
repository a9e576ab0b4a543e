import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { createSandboxes } from '../../../../src/adapters/sandbox/sandboxes';
import { refusedServices } from '../../../../src/adapters/sandbox/places/services';
import type { Services } from '../../../../src/core/paths/services';
import { hiddenDevices } from '../../../support/devices';
import { skipWithReason } from '../../../support/skip';
import { usersOfTier } from '../../../support/users';
import { makeBed, removeBeds, type Bed } from '../bed';

const servers: Server[] = [];

/** A service that answers each client with its own name. */
async function listen(at: string, name: string): Promise<void> {
  mkdirSync(path.dirname(at), { recursive: true });
  const server = createServer((connection) => connection.on('error', () => undefined).end(name));
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
}

/** The address of a socket holds 107 bytes, and a checkout may lie deep. */
function needsRoomFor(context: Context, at: string): void {
  if (Buffer.byteLength(at) > 107) skipWithReason(context, `the checkout lies too deep for a socket: ${at}`);
}

/** A line of the shell that prints what the socket answers, or the code of the error. */
function ask(at: string): string {
  const program = `require("node:net").connect(process.argv[1]).on("data", (data) => console.log(String(data))).on("error", (error) => console.log(error.code))`;
  return `"${process.execPath}" -e '${program}' '${at}'`;
}

const opens = (services: Partial<Services>): { readonly services: Services } => ({
  services: { ports: [], sockets: [], devices: [], ...services },
});

async function refusal(bed: Bed, services: Partial<Services>, granted: readonly string[] = []): Promise<string> {
  const { environment, home } = bed;
  const sandboxes = createSandboxes({ environment, home, secret: [path.join(bed.outside, 'secret')] });
  const answer = await sandboxes.line(bed.boundary({ ...opens(services), granted }));
  assert.ok(!answer.ok, 'it is opened');
  assert.equal(answer.refusal.code, 'SERVICE_NOT_OPENED');
  assert.equal(answer.refusal.next.length, 1);
  return answer.refusal.reason;
}

describe('what a plan opens of the machine', function () {
  this.timeout(60_000);
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  after(removeBeds);

  for (const user of usersOfTier) {
    it(`is a socket by its name, and no other beside it, wherever it lies, as ${user}`, async function () {
      for (const where of ['tmp', 'checkout'] as const) {
        const bed = makeBed(this, user, where);
        const [named, other] = [path.join(bed.outside, 'run/named.sock'), path.join(bed.outside, 'run/other.sock')];
        needsRoomFor(this, other);
        await listen(named, 'named');
        await listen(other, 'other');
        const script = `${ask(named)}; ${ask(other)}`;
        const { output } = await bed.confined(opens({ sockets: [named] }), script);
        assert.match(output, /^named\n(?:ECONNREFUSED|ENOENT)\n$/, where);
        assert.equal((await bed.confined({}, ask(named))).output.startsWith('named'), false);
        assert.equal((await bed.free(script)).output, 'named\nother\n');
      }
    });

    it(`is a socket in the home, beside an agent's, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const [named, other] = [path.join(bed.home, '.svc/run.sock'), path.join(bed.home, '.ssh/agent')];
      needsRoomFor(this, named);
      await listen(named, 'named');
      await listen(other, 'other');
      const { output } = await bed.confined(
        { caches: { env_names: [], shared: { name: 'only' } }, ...opens({ sockets: [named] }) },
        `${ask(named)}; ${ask(other)}`,
      );
      assert.match(output, /^named\n(?:ECONNREFUSED|ENOENT)\n$/);
    });

    it(`is one by an odd name, in a cache, or named twice, as ${user}`, async function () {
      const bed = makeBed(this, user, 'tmp');
      const odd = path.join(bed.outside, `run/it is, a=b;c:ü%20 $x`);
      const cached = path.join(bed.home, '.cache/tool/s.sock');
      await listen(odd, 'odd');
      await listen(cached, 'cached');
      bed.environment['ODD'] = odd;
      const script = `${ask('"$ODD"')}; ${ask(cached)}`.replaceAll(`'"$ODD"'`, '"$ODD"');
      const asked = { caches: { env_names: [], shared: { name: 'only' } }, ...opens({ sockets: [odd, odd, cached] }) };
      assert.equal((await bed.confined(asked, script)).output, 'odd\ncached\n');
    });

    it(`gives back the variable that leads to the named socket, and no other, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const named = path.join(bed.outside, 'docker.sock');
      needsRoomFor(this, named);
      await listen(named, 'named');
      bed.environment['DOCKER_HOST'] = `unix://${named}`;
      bed.environment['SSH_AUTH_SOCK'] = path.join(bed.outside, 'agent');
      const script = 'echo "$DOCKER_HOST,$SSH_AUTH_SOCK"';
      assert.equal((await bed.confined(opens({ sockets: [named] }), script)).output, `unix://${named},\n`);
      assert.equal((await bed.confined({}, script)).output, ',\n');
    });
  }

  it('is a device by its name, and no other', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself');
    const [named, other] = hiddenDevices(this, 2);
    const script = `ls /dev | tr '\\n' ' '; test -c ${named} && echo named; test -e ${other} || echo hidden`;
    const { output } = await bed.confined(opens({ devices: [named] }), script);
    assert.match(output, /named\nhidden\n$/);
    assert.match((await bed.confined({}, `test -e ${named} || echo hidden`)).output, /^hidden\n$/);
  });

  it('is refused where a link stands, which can be led elsewhere after the approval', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself');
    const real = path.join(bed.outside, 'root-of-all.sock');
    needsRoomFor(this, real);
    await listen(real, 'real');
    const [link, folder] = [path.join(bed.outside, 'link.sock'), path.join(bed.outside, 'folder')];
    symlinkSync(real, link);
    symlinkSync(bed.outside, folder);
    for (const named of [link, path.join(folder, 'root-of-all.sock')]) {
      const reason = await refusal(bed, { sockets: [named] });
      assert.ok(reason.endsWith(`${named} is a link, or lies behind one: it leads to ${real}.`), reason);
    }
    for (const device of ['/dev/stdin', '/dev/fd/0'])
      assert.match(
        await refusal(bed, { devices: [device] }),
        /is a link, or lies behind one|is not there|is no device/,
      );
  });

  it('is one socket by two names of the system', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself');
    if (process.getuid?.() !== 0 || realpathSync('/var/run') !== '/run')
      skipWithReason(this, 'only root makes a socket in /run');
    const folder = mkdtempSync('/run/mission-test-');
    try {
      const named = path.join(folder, 's.sock');
      await listen(named, 'run');
      const { output } = await bed.confined(
        opens({ sockets: [named, `/var${named}`] }),
        `${ask(named)}; ${ask(`/var${named}`)}`,
      );
      assert.equal(output, 'run\nrun\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is refused where it is something else, or not there', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself');
    const file = path.join(bed.outside, 'file.sock');
    writeFileSync(file, '');
    assert.match(await refusal(bed, { sockets: [file] }), /file\.sock is no socket\.$/);
    assert.match(await refusal(bed, { sockets: [bed.outside] }), /is no socket\.$/);
    assert.match(await refusal(bed, { sockets: [`${file}2`] }), /file\.sock2 is not there\.$/);
    assert.match(await refusal(bed, { devices: ['/dev/shm'] }), /\/dev\/shm is no device\.$/);
    assert.match(await refusal(bed, { devices: ['/dev/no-such'] }), /no-such is not there\.$/);
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  it('is refused where a task writes and where Mission Control keeps what is its own', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself', 'tmp');
    const places = [
      path.join(bed.workspace, 'dev.sock'),
      path.join(bed.workspace, '.git/own.sock'),
      path.join(bed.workspace, '.mission-control/own.sock'),
      path.join(bed.outside, '.mission-control/own.sock'),
      path.join(bed.outside, 'secret/own.sock'),
      path.join(bed.outside, 'granted/s.sock'),
    ];
    for (const at of places) {
      await listen(at, 'own');
      const granted = [path.join(bed.outside, 'granted')];
      assert.match(await refusal(bed, { sockets: [at] }, granted), /lies where a task writes, or where Mission/, at);
    }
  });

  it('is refused as a whole where the sandbox opens no single one, as that of macOS', () => {
    const answer = refusedServices(opens({ ports: [5432] }));
    assert.ok(!answer.ok);
    assert.equal(answer.refusal.code, 'SERVICE_NOT_OPENED');
    assert.match(answer.refusal.reason, /: the sandbox of macOS opens no single port, socket or device\.$/);
    assert.ok(refusedServices({}).ok);
  });
});
