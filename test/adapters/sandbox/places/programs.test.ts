import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createSandboxes } from '../../../../src/adapters/sandbox/sandboxes';
import { startsOf } from '../../../../src/adapters/sandbox/bubblewrap/wrapper';
import { usersOfTier } from '../../../support/users';
import { idsOf, makeBed, removeBeds, type Bed } from '../bed';

describe('programs of a sandbox', function () {
  this.timeout(120_000);
  after(removeBeds);

  for (const user of usersOfTier) {
    describe(`below /tmp, as ${user}`, () => {
      let bed: Bed;
      beforeEach(function () {
        bed = makeBed(this, user, 'tmp');
        put('inst/bin/tool', '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/text"');
        bed.put({ [at('inst/lib/text')]: 'brought', [at('outside/note')]: 'hidden', 'out/': '' });
      });

      const at = (relative: string): string => path.join(bed.folder, relative);
      function put(relative: string, text: string): void {
        bed.put({ [at(relative)]: text });
        chmodSync(at(relative), 0o755);
      }
      function link(relative: string, target: string): void {
        mkdirSync(path.dirname(at(relative)), { recursive: true });
        symlinkSync(target, at(relative));
      }
      const onPath = (...folders: readonly string[]): void =>
        void (bed.environment['PATH'] = [...folders, bed.environment['PATH']].join(':'));
      async function says(script: string, words: readonly string[] = []): Promise<string> {
        return (await bed.confined({ writable: ['out'], programWords: words }, script)).output;
      }

      it('on PATH: a link, the links that it leads to, and the installation of the last', async () => {
        link('links/tool', '../hops/tool');
        link('hops/tool', at('more/tool'));
        link('more/tool', '../inst/bin/tool');
        onPath(at('links'));
        assert.equal(await says('tool'), 'brought');
      });

      it('on PATH outside of what is hidden: a link into it', async function () {
        const seen = makeBed(this, user, 'checkout');
        mkdirSync(path.join(seen.folder, 'links'));
        symlinkSync(at('inst/bin/tool'), path.join(seen.folder, 'links/tool'));
        onPath(path.join(seen.folder, 'links'));
        assert.equal(await says('tool'), 'brought');
      });

      it('on PATH: a script that starts another program, and one with an own interpreter', async () => {
        put('links/first', `#!/bin/sh\nexec '${at('inst/bin/tool')}' "$@"\n`);
        put('other/run', '#!/bin/sh\nprintf "run by it"');
        put('links/second', `#!${at('other/run')}\n`);
        onPath(at('links'));
        assert.equal(await says('first; second'), 'broughtrun by it');
      });

      it('named by the launch line: by a name, absolutely, as an argument and relative', async () => {
        put('single/tool', '#!/bin/sh\nprintf single');
        bed.put({ [at('single/script.sh')]: 'printf script', [at('single/data')]: 'data' });
        assert.equal(await says(at('single/tool'), [at('single/tool')]), 'single');
        assert.equal(await says(`sh ${at('single/script.sh')}`, ['sh', at('single/script.sh')]), 'script');
        link('ws/here', '../single/tool');
        assert.equal(await says('./here', ['./here']), 'single');
        const beside = await says(`cat ${at('single/data')} ${at('outside/note')}`, ['cat', at('single/data')]);
        assert.match(beside, /single\/data.*outside\/note/s, 'what is no program stays hidden');
      });

      it('named by the launch line: a package around the script', async () => {
        bed.put({ [at('pack/package.json')]: '{}', [at('pack/src/a.mjs')]: '', [at('pack/lib/text')]: 'packed' });
        assert.equal(await says(`cat ${at('pack/lib/text')}`, ['node', at('pack/src/a.mjs')]), 'packed');
      });

      it('cannot be written, removed or replaced; what lies beside stays hidden', async () => {
        put('links/tool', `#!/bin/sh\nexec '${at('inst/bin/tool')}'\n`);
        onPath(at('links'));
        const tries = ['inst/bin/tool', 'inst/lib/text', 'links/tool', 'inst/new', 'links/new'];
        await says(tries.map((one) => `echo x >> ${at(one)}; rm -f ${at(one)}; mv ${at(one)} /tmp/x`).join('\n'));
        assert.ok(existsSync(at('inst/bin/tool')) && existsSync(at('inst/lib/text')) && existsSync(at('links/tool')));
        assert.ok(!existsSync(at('inst/new')) && !existsSync(at('links/new')));
        assert.equal(await says('tool'), 'brought');
        assert.match(await says(`cat ${at('outside/note')}`), /No such file/);
      });

      it('of a folder that holds more than an installation only the folder of programs', async () => {
        put('bin/tool', '#!/bin/sh\nprintf small');
        onPath(at('bin'));
        assert.equal(await says('tool'), 'small');
        assert.match(await says(`cat ${at('outside/note')}`), /No such file/);
      });

      it('of a hidden folder on PATH itself only the programs', async () => {
        const session = at('session');
        put('session/tool', '#!/bin/sh\nprintf session');
        bed.put({ [at('session/note')]: 'hidden' });
        bed.environment['XDG_RUNTIME_DIR'] = session;
        onPath(session, '/tmp', '/');
        assert.equal(await says('tool'), 'session');
        assert.match(await says(`cat ${session}/note`), /No such file/);
        assert.match(await says(`cat ${at('outside/note')}`), /No such file/);
      });

      it('bring no state of a mission, and no socket', async () => {
        bed.put({
          [at('inst/.mission-control/state.db')]: 'kept',
          [at('inst/deep/.mission-control/state.db')]: 'kept',
        });
        const server = createServer().listen(at('inst/lib/listener.sock'));
        try {
          onPath(at('inst/bin'));
          const found = await says(
            `tool; cd ${at('inst')}; cat .mission-control/* deep/.mission-control/*; test -S lib/listener.sock && echo SOCKET`,
          );
          assert.match(found, /^brought/);
          assert.doesNotMatch(found, /kept|SOCKET/);
        } finally {
          server.close();
        }
      });

      it('that must stay hidden are refused before anything starts', async () => {
        const { environment, home } = bed;
        const secret = [at('secret')];
        put('secret/tool', '#!/bin/sh\n');
        put('elsewhere/.mission-control/tool', '#!/bin/sh\n');
        link('links/tool', '../secret/tool');
        onPath(at('links'));
        const sandboxes = createSandboxes({ environment, home, secret, user: idsOf(user) });
        for (const words of [['tool'], [at('secret/tool')], ['sh', at('elsewhere/.mission-control/tool')]]) {
          const answer = await sandboxes.line(bed.boundary({ programWords: words }));
          assert.ok(!answer.ok, words.join(' '));
          assert.equal(answer.refusal.code, 'CONFINEMENT_UNAVAILABLE');
          assert.match(answer.refusal.reason, /^The sandbox hides \/.*\/tool, which the launch needs/);
        }
        const other = await sandboxes.line(bed.boundary({ programWords: ['sh'] }));
        assert.ok(other.ok, 'what PATH alone names is left out');
      });

      it('directly below /tmp, which PATH names', async () => {
        const folder = mkdtempSync('/tmp/programs-');
        try {
          chmodSync(folder, 0o755);
          bed.put({ [`${folder}/tool`]: '#!/bin/sh\nprintf direct', [`${folder}/note`]: 'hidden' });
          chmodSync(`${folder}/tool`, 0o755);
          symlinkSync(`${folder}/tool`, `${folder}.link`);
          onPath('/tmp');
          assert.equal(await says(path.basename(`${folder}.link`)), 'direct');
          assert.match(await says(`cat ${folder}/note`), /No such file/);
        } finally {
          rmSync(folder, { recursive: true });
          rmSync(`${folder}.link`, { force: true });
        }
      });
    });
  }

  it('are read out of a script of the shell', () => {
    const text = `#!/bin/sh\nA=/opt/a\nexec '/opt/with blank/node' "/opt/b" "$X/c" /opt/d "$@" # not/this`;
    assert.deepEqual(startsOf(text), {
      interpreter: '/bin/sh',
      named: ['/opt/a', '/opt/with blank/node', '/opt/b', '/opt/d'],
    });
    assert.deepEqual(startsOf('#! /usr/bin/python3 -u\nopen("/etc/x")'), {
      interpreter: '/usr/bin/python3',
      named: [],
    });
    assert.deepEqual(startsOf('\x7fELF /opt/a'), { interpreter: null, named: [] });
  });
});
