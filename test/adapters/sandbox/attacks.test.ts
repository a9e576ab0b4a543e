import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import { skipWithReason } from '../../support/skip';
import { users, type User } from '../../support/users';
import { makeBed, removeBeds, type Asked, type Bed } from './bed';
import { contents } from './held';

const asked: Asked = {
  writable: ['out', 'app/one.txt'],
  sealed: [
    'docs/plans',
    'docs/ops/executions',
    '.mission-control',
    '.git',
    'out/forbidden',
    'out/deep/er/other.txt',
    'out/deep/er/linked.txt',
  ],
  home: [
    {
      variable: null,
      below: '',
      otherwise: '.cli',
      entries: [{ path: 'sessions', kind: 'folder', access: 'write', reason: 'its sessions' }],
    },
  ],
};

function lay(bed: Bed): void {
  bed.put({
    'README.md': 'read me\n',
    'src/a.ts': 'a\n',
    'app/one.txt': '1\n',
    'app/two.txt': '2\n',
    'app/folder/three.txt': '3\n',
    '.git/config': '[core]\n',
    '.git/hooks/pre-commit': '#!/bin/sh\n',
    'docs/plans/p.json': '{}\n',
    'docs/ops/executions/m1/e.json': '{}\n',
    '.mission-control/state.db': 'journal\n',
    '.mission-control/inbox/c.json': '{}\n',
    [path.join(bed.run, 'launch.json')]: '{}\n',
    [path.join(bed.run, 'exit.json')]: '{}\n',
    'out/mine.txt': 'mine\n',
    'out/forbidden/f.txt': 'f\n',
    'out/deep/er/other.txt': 'of another task\n',
    'out/lib/repo/.git/config': '[core]\n',
    'out/lib/.jj/repo/config.toml': '[ui]\n',
    [path.join(bed.home, '.bashrc')]: '# mine\n',
    [path.join(bed.home, '.cli/settings.json')]: '{}\n',
    [path.join(bed.home, '.cli/sessions/s.json')]: '{}\n',
    [path.join(bed.outside, 'o.txt')]: 'o\n',
    'out/pkg/own.js': 'own\n',
  });
  linkOut(bed);
}

/** Hard links in each place that is writable, whose other names lie where nothing is. */
function linkOut(bed: Bed): void {
  const links = {
    'out/linked.js': path.join(bed.outside, 'store/a'),
    'out/pkg/linked.js': path.join(bed.outside, 'store/b'),
    'out/inner.ts': path.join(bed.workspace, 'src/inner.ts'),
    'out/of-another.txt': path.join(bed.workspace, 'out/deep/er/linked.txt'),
    [path.join(bed.home, '.cli/sessions/linked.json')]: path.join(bed.outside, 'store/c'),
    [path.join(bed.run, 'work/linked')]: path.join(bed.outside, 'store/d'),
  };
  for (const [name, other] of Object.entries(links)) {
    const at = path.resolve(bed.workspace, name);
    bed.put({ [other]: 'shared\n' });
    mkdirSync(path.dirname(at), { recursive: true });
    linkSync(other, at);
  }
}

/** Everything that no person approved. */
function unapproved(bed: Bed): readonly string[] {
  const inOut = (at: string): boolean => {
    const way = path.relative(path.join(bed.workspace, 'out'), at);
    return way !== '' && !way.startsWith('..') && !/^(forbidden|deep|lib)(\/|$)/.test(way);
  };
  return contents(
    bed.folder,
    (at) =>
      inOut(at) ||
      at === path.join(bed.workspace, 'app/one.txt') ||
      at === path.join(bed.run, 'work') ||
      at === path.join(bed.home, '.cli/sessions'),
  );
}

interface Attack {
  readonly name: string;
  /**
   * Runs in the workspace; the folder of the bed is `$BED`, a process of the test outside `$VICTIM`. Without the sandbox
   * nothing holds it back: it may name nothing but these.
   */
  readonly script: string;
  /** Prints ESCAPED where it worked and left nothing. */
  readonly tells?: boolean;
  /** Works as root only. */
  readonly rootOnly?: boolean;
  /** A program that has to be there. */
  readonly needs?: string;
  /** What would be gone without the sandbox is not looked at again. */
  readonly confinedOnly?: boolean;
}

const byHandle = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
class Handle(ctypes.Structure):
    _fields_ = [('bytes', ctypes.c_uint), ('type', ctypes.c_int), ('data', ctypes.c_ubyte * 128)]
handle, mount = Handle(128), ctypes.c_int()
libc.name_to_handle_at(-100, b'src/a.ts', ctypes.byref(handle), ctypes.byref(mount), 0)
folder = os.open('out', os.O_RDONLY)
opened = libc.open_by_handle_at(folder, ctypes.byref(handle), os.O_WRONLY | os.O_APPEND)
if opened >= 0: os.write(opened, b'x')
`;

/** Calls of the kernel with their numbers on each architecture, as a line of Python that prints what each answers. */
function calls(script: string): string {
  const numbers = '{"x86_64": (248, 250, 41, 425), "aarch64": (217, 219, 198, 425)}';
  return `python3 -c '
import ctypes, errno, fcntl, os, platform, signal, socket
call = ctypes.CDLL(None, use_errno=True).syscall
add_key, keyctl, new_socket, rings = ${numbers}[platform.machine()]
${script}'`;
}

const attacks: readonly Attack[] = [
  { name: 'a file beside the approved ones', script: 'echo x >> src/a.ts; echo x >> README.md' },
  { name: 'a new file in a folder nobody approved', script: 'echo x > src/new.ts; mkdir new; echo x > new/file' },
  { name: 'a sibling of an approved file', script: 'echo x > app/two.txt; echo x > app/folder/three.txt' },
  { name: 'a sibling of an approved file, deleted', script: 'rm -f app/two.txt; rm -rf app/folder' },
  { name: 'a sibling of an approved file, renamed', script: 'mv app/two.txt app/four.txt; mv app/folder app/other' },
  { name: 'a sibling of an approved file, replaced', script: 'echo x > out/x; mv out/x app/two.txt' },
  { name: 'a sibling of an approved file by a hard link', script: 'ln app/two.txt app/l && echo x >> app/l' },
  { name: 'permissions', script: 'chmod 777 src/a.ts app/two.txt .git/hooks/pre-commit' },
  { name: 'a folder that holds what is approved, renamed', script: 'mv out gone; mv app gone2; mv src gone3' },
  { name: 'git', script: 'echo x >> .git/config; echo x > .git/hooks/post-checkout; rm -rf .git' },
  { name: 'a nested repository', script: 'echo x >> out/lib/repo/.git/config; rm -rf out/lib/repo/.git' },
  { name: 'a folder of jj', script: 'echo x >> out/lib/.jj/repo/config.toml; rm -rf out/lib/.jj' },
  { name: 'a nested repository by its folder', script: 'mv out/lib out/away; mkdir -p out/lib/repo/.git' },
  { name: 'plans and evidence', script: 'echo x > docs/plans/p.json; echo x > docs/ops/executions/m1/e.json' },
  { name: 'the state folder', script: 'echo x > .mission-control/state.db; echo x > .mission-control/inbox/d.json' },
  { name: 'the files of its run', script: 'cd "$RUN"; for f in launch exit stop signals; do echo x > $f.json; done' },
  { name: 'its run directory, renamed', script: 'mv "$RUN" "$RUN-2"; mv "$RUN/work" "$RUN/gone"' },
  { name: 'a forbidden path inside an approved one', script: 'echo x > out/forbidden/f.txt; rm -rf out/forbidden' },
  { name: 'a forbidden path by its folder', script: 'mv out/forbidden out/f2; mkdir out/forbidden' },
  { name: 'a path of another task', script: 'echo x > out/deep/er/other.txt' },
  {
    name: 'a path of another task by its folder',
    script: 'mv out/deep out/d2; mkdir -p out/deep/er; echo x > out/deep/er/other.txt',
  },
  {
    name: 'a path of another task by the folder between',
    script: 'mv out/deep/er out/deep/e2; mkdir out/deep/er; echo x > out/deep/er/other.txt',
  },
  { name: 'a hard link in an approved folder', script: 'echo x >> out/linked.js; chmod 777 out/linked.js' },
  {
    name: 'a hard link in an approved folder, moved',
    script: 'mv out/linked.js out/m; echo x >> out/m; mv out/pkg out/p2; echo x >> out/p2/linked.js',
  },
  {
    name: 'a hard link in an approved folder, under a further name',
    script: 'ln out/pkg/linked.js out/l && echo x >> out/l; ln out/pkg/linked.js out/pkg/l && echo x >> out/pkg/l',
  },
  { name: 'a hard link to what nobody approved in the workspace', script: 'echo x >> out/inner.ts' },
  { name: 'a hard link to a path of another task', script: 'echo x >> out/of-another.txt' },
  { name: 'a hard link in a folder that a CLI keeps', script: 'echo x >> "$HOME/.cli/sessions/linked.json"' },
  { name: 'a hard link in its run directory', script: 'echo x >> "$RUN/work/linked"' },
  { name: 'a hard link to what is outside', script: 'ln src/a.ts out/l && echo x >> out/l' },
  {
    name: 'a link to what is outside',
    script: 'ln -s ../src out/s; echo x >> out/s/a.ts; ln -s "$BED" out/b; echo x >> out/b/outside/o.txt',
  },
  { name: 'outside the workspace', script: 'echo x >> "$BED/outside/o.txt"; echo x > "$BED/new"' },
  { name: 'the home', script: 'echo x >> "$HOME/.bashrc"; echo x > "$HOME/.profile"' },
  {
    name: 'settings of a CLI',
    script:
      'echo x > "$HOME/.cli/settings.json"; echo x > "$HOME/.cli/s" && mv "$HOME/.cli/s" "$HOME/.cli/settings.json"; rm -f "$HOME/.cli/settings.json"',
  },
  {
    name: 'a hook of a CLI',
    script: 'mkdir -p "$HOME/.cli/hooks"; echo x > "$HOME/.cli/hooks/start"; mv "$HOME/.cli" "$HOME/.cli2"',
  },
  {
    name: 'the root of another process',
    script:
      'for p in 1 $VICTIM; do echo x >> "/proc/$p/root$PWD/src/a.ts"; done; echo x >> "/proc/$VICTIM/cwd/src/a.ts"',
  },
  { name: 'an open folder', script: 'exec 3< .; echo x >> /proc/self/fd/3/src/a.ts' },
  {
    name: 'a mount made writable again',
    script:
      'for at in / "$PWD" "$PWD/app/two.txt" "$PWD/.git"; do mount -o remount,rw,bind "$at"; mount -o remount,rw "$at"; done; echo x >> src/a.ts; echo x >> app/two.txt',
    confinedOnly: true,
  },
  {
    name: 'a mount taken away',
    script: 'umount app/two.txt; umount -l app/two.txt; umount -l /; echo x >> app/two.txt',
    confinedOnly: true,
  },
  {
    name: 'namespaces of its own',
    needs: 'unshare',
    confinedOnly: true,
    script:
      "unshare -Urm sh -c 'umount app/two.txt; umount -l .git; mount -o remount,rw,bind /; mkdir out/m; mount --bind . out/m; mount --bind / out/m; echo x >> out/m/src/a.ts; echo x >> out/m/app/two.txt; echo x >> app/two.txt; echo x >> .git/config'",
  },
  { name: 'a file by its number', script: `python3 -c "${byHandle}"`, needs: 'python3', rootOnly: true },
  {
    name: 'settings of the kernel',
    script: 'f=/proc/sys/kernel/core_pattern; v=$(cat $f); echo "$v" > $f && echo ESCAPED',
    tells: true,
    rootOnly: true,
  },
  {
    name: 'the control groups, mounted anew',
    needs: 'unshare',
    tells: true,
    confinedOnly: true,
    script:
      "mkdir out/c; unshare -UrmC sh -c 'for t in cgroup2 cgroup; do mount -t $t none out/c && [ -w out/c/cgroup.procs ] && echo ESCAPED; done'",
  },
  {
    name: 'settings of the kernel in a new /proc',
    needs: 'unshare',
    tells: true,
    confinedOnly: true,
    script:
      'mkdir out/p; unshare -Urmpf sh -c \'mount -t proc proc out/p && f=out/p/sys/kernel/core_pattern && v=$(cat $f) && echo "$v" > $f && echo ESCAPED\'',
  },
  {
    name: 'a device',
    script: 'mknod out/zero c 1 5 && head -c 1 out/zero > out/byte && echo ESCAPED',
    tells: true,
    rootOnly: true,
  },
  {
    name: 'a key of the session',
    tells: true,
    needs: 'python3',
    script: calls(`
key = call(add_key, b"user", b"from-a-worker", b"x", 1, -3)
if key >= 0 and call(keyctl, 21, key) == 0: print("ESCAPED")
`),
  },
  {
    name: 'the names of the keys in the keyrings of the kernel',
    tells: true,
    confinedOnly: true,
    script: 'if grep -q . /proc/keys /proc/key-users; then echo ESCAPED; fi',
  },
  {
    name: 'a lease on a file that it only reads',
    tells: true,
    needs: 'python3',
    script: calls(`
try:
    fcntl.fcntl(os.open("README.md", os.O_RDONLY), 1024, 0)
    print("ESCAPED")
except PermissionError: pass
`),
  },
  {
    name: 'the host of a virtual machine',
    tells: true,
    needs: 'python3',
    confinedOnly: true,
    script: calls(`
if call(new_socket, 40, 1, 0) >= 0: print("ESCAPED")
if call(rings, 1, ctypes.create_string_buffer(120)) >= 0 or ctypes.get_errno() != errno.ENOSYS: print("ESCAPED")
`),
  },
  {
    name: 'the first process of the sandbox, traced',
    tells: true,
    needs: 'python3',
    confinedOnly: true,
    script: calls(`
if ctypes.CDLL(None).ptrace(0x4206, 1, 0, 0) == 0 or call(434, 1, 0) >= 0: print("ESCAPED")
`),
  },
  {
    name: 'the memory of the first process of the sandbox',
    tells: true,
    confinedOnly: true,
    script: 'for at in /proc/1/mem /proc/1/task/1/mem; do [ -e $at ] && (exec 3<> $at) && echo ESCAPED; done',
  },
  { name: 'processes outside, killed', script: 'kill -9 $VICTIM && echo ESCAPED', tells: true },
  { name: 'processes outside, looked into', script: 'cat /proc/$VICTIM/environ > out/e && echo ESCAPED', tells: true },
  { name: 'the parent of its processes, killed', script: 'kill -9 $PPID 1; echo x >> src/a.ts', confinedOnly: true },
];

describe('attacks on the sandbox', function () {
  this.timeout(60_000);
  after(removeBeds);

  for (const user of users) {
    describe(`as ${user}`, () => {
      for (const attack of attacks) {
        it(`holds: ${attack.name}`, async function () {
          const { before, after: later, output } = await attempt(this, user, attack, 'confined');
          assert.deepEqual(later, before, output);
          assert.ok(!output.includes('ESCAPED'), output);
        });
        if (attack.confinedOnly === true || (attack.rootOnly === true && user !== 'root')) continue;
        it(`without the sandbox works: ${attack.name}`, async function () {
          const { before, after: later, output } = await attempt(this, user, attack, 'free');
          if (attack.tells === true) assert.match(output, /ESCAPED/);
          else assert.notDeepEqual(later, before, output);
        });
      }

      it('lets what is approved be written', async function () {
        const bed = makeBed(this, user);
        lay(bed);
        const script =
          'set -e; echo x > out/new; mkdir out/sub; mv out/new out/sub/; echo x > app/t && mv app/t app/one.txt; echo x > /tmp/a; echo x > "$RUN/work/worklog.md"; echo x > "$HOME/.cli/sessions/n"; echo x > "$HOME/.cli/gone"; echo done';
        bed.environment['RUN'] = bed.run;
        const before = unapproved(bed);
        const { output } = await bed.confined(asked, script);
        assert.equal(output, 'done\n');
        assert.deepEqual(unapproved(bed), before);
        const there = ['out/sub/new', 'app/one.txt', `${bed.run}/work/worklog.md`, `${bed.home}/.cli/sessions/n`];
        for (const one of there) assert.ok(existsSync(path.resolve(bed.workspace, one)), one);
      });
    });
  }
});

async function attempt(
  context: Context,
  user: User,
  attack: Attack,
  how: 'confined' | 'free',
): Promise<{ readonly before: readonly string[]; readonly after: readonly string[]; readonly output: string }> {
  const bed = makeBed(context, user);
  lay(bed);
  if (attack.needs !== undefined && (await bed.free(`command -v ${attack.needs}`)).code !== 0)
    skipWithReason(context, `${attack.needs} is not installed`);
  const identity = user === 'nobody' ? { uid: 65534, gid: 65534 } : {};
  const victim = spawn('sleep', ['600'], { cwd: bed.workspace, stdio: 'ignore', ...identity });
  await once(victim, 'spawn');
  try {
    Object.assign(bed.environment, { BED: bed.folder, RUN: bed.run, VICTIM: String(victim.pid) });
    const before = unapproved(bed);
    const { output } = how === 'confined' ? await bed.confined(asked, attack.script) : await bed.free(attack.script);
    return { before, after: unapproved(bed), output };
  } finally {
    victim.kill('SIGKILL');
  }
}
