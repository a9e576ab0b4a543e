import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { usersOfTier } from '../support/users';
import { AgentBed } from './agentBed';
import { ConfinedBed } from './confinedBed';
import type { Running } from './cliBed';

/** A machine on which TMPDIR of the person leads somewhere, as nix, direnv and pam set it. */
class TemporaryBed extends ConfinedBed {
  temporary = '/tmp';
  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, TMPDIR: this.temporary };
  }
  override start(...args: string[]): Running {
    if (this.user === 'nobody' && this.temporary.startsWith('/tmp/mission-nix-'))
      spawnSync('chown', ['-R', '65534:65534', this.temporary]);
    return super.start(...args);
  }
}

/** What tools do with temporary files: each of these needs a folder that exists and has a short path. */
const uses = `#!/bin/bash
set -e
test "$(cat <<< "here string")" = "here string"
# Longer than a pipe holds, so the shell keeps it in a file.
long=$(head -c 200000 /dev/zero | tr '\\0' x)
test "$(wc -c <<< "$long")" -eq 200001
test "$(wc -c << END
$long
END
)" -eq 200001
missing=
made=$(mktemp)
echo x > "$made"
folder=$(mktemp -d)
node -e '
const at = process.env.TMPDIR + "/" + "s".repeat(100 - process.env.TMPDIR.length - 1);
if (process.env.TMPDIR.length > 60) throw new Error("TMPDIR is long: " + process.env.TMPDIR);
const server = require("net").createServer((client) => { client.end(); server.close(); });
server.listen(at, () => require("net").connect(at).resume().on("end", () => process.exit(0)));
'
if command -v python3 > /dev/null; then
  python3 -c 'import multiprocessing as m
if __name__ == "__main__": m.Manager().shutdown()'
else
  missing="$missing python3"
fi
if command -v ssh-agent > /dev/null; then
  eval "$(ssh-agent -s)" > /dev/null
  answer=0
  ssh-add -l > /dev/null || answer=$?
  kill "$SSH_AGENT_PID"
  test "$answer" -eq 1 # it answers that it has no key
else
  missing="$missing ssh-agent"
fi
mkdir -p docs/out
echo "$missing" > docs/out/missing
echo "$TMPDIR" > docs/out/tmpdir
`;

for (const user of usersOfTier)
  describe(`temporary files of a command and of verification, as ${user}`, function () {
    this.timeout(180_000);
    let bed: TemporaryBed;
    const made: string[] = [];
    beforeEach(function () {
      bed = new TemporaryBed(this, user);
      bed.write('tools/uses.sh', uses);
    });
    afterEach(async () => {
      await bed.dispose();
      for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
    });

    const places = {
      'exists below /tmp': (): string => {
        const folder = mkdtempSync('/tmp/mission-nix-');
        made.push(folder);
        return folder;
      },
      'lies in HOME': (): string => {
        const folder = path.join(bed.scratch, 'tmp');
        mkdirSync(folder);
        return folder;
      },
      'is not there': (): string => path.join(bed.scratch, 'gone'),
      'is too long for a socket': (): string => {
        const folder = path.join(bed.scratch, 'long'.repeat(20));
        mkdirSync(folder);
        return folder;
      },
      'is too long in bytes alone': (): string => {
        const folder = path.join(bed.scratch, 'ü'.repeat(24));
        mkdirSync(folder);
        return folder;
      },
    };

    for (const [what, place] of Object.entries(places))
      for (const mode of ['required', 'off'] as const)
        it(`work where TMPDIR ${what}, confinement ${mode}`, async function () {
          bed.temporary = place();
          const command = ['bash', 'tools/uses.sh'];
          const plan = bed.plan('temp', [{ command, verify: [command] }]);
          const run = await bed.mission('run', plan, '--confinement', mode);
          assert.equal(run.code, 0, run.stdout + run.stderr);
          if (mode === 'required') assert.equal(bed.read('docs/out/tmpdir'), '/tmp\n');
          assert.equal((await bed.mission('evidence', 'verify', 'temp')).code, 0);
          const missing = bed.read('docs/out/missing').trim();
          if (missing !== '') skipWithReason(this, `no toolchain here: not tried with ${missing}`);
        });
  });

describe('temporary files of an agent', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.speaks(`
      const at = path.join(process.env.TMPDIR, 's'.repeat(40));
      const server = require('node:net').createServer();
      await new Promise((go, no) => server.listen(at, go).on('error', no));
      server.close();
      const manager = 'import multiprocessing as m\\nif __name__ == "__main__": m.Manager().shutdown()';
      const python = require('node:child_process').spawnSync('python3', ['-c', manager]);
      if (python.error?.code !== 'ENOENT' && python.status !== 0) throw new Error(String(python.stderr));
      fs.writeFileSync(path.join(process.env.TMPDIR, 'made'), 'x');
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/tmpdir', process.env.TMPDIR);
      end('done', 'docs/out/tmpdir');`);
  });
  afterEach(() => bed.dispose());

  it('leave room for the path of a socket in its sandbox', async function () {
    bed.findBubblewrap(this);
    const run = await bed.withClaude('run', bed.agentPlan('temp', { confinement: 'required' }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.read('docs/out/tmpdir'), '/tmp');
  });

  it('leave room for it without a sandbox, and lie with the launch as before', async () => {
    const run = await bed.withClaude('run', bed.agentPlan('temp', { confinement: 'off' }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const folder = bed.read('docs/out/tmpdir');
    assert.match(folder, /^\/tmp\/mission-tmp-[^/]+\/t$/);
    assert.equal(existsSync(path.dirname(folder)), false, 'the short name ends with the launch');
    const runs = path.join('.mission-control/missions', run.json.mission_id, 'runs');
    const [launch = ''] = readdirSync(bed.at(runs));
    assert.equal(bed.read(path.join(runs, launch, 'work/tmp/made')), 'x');
  });
});
