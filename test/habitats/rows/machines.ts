import { chmod, chown } from 'node:fs/promises';
import path from 'node:path';
import { refusal, type Habitat } from '../habitat';
import { succeeds, type Place } from '../place';

/** Who the person is, and what the machine has: users, permissions, file systems, temporary folder, sizes. */
const unsealed = {
  expected: refusal(4, 'STATE_FOLDER_UNAVAILABLE', /Set HOME to a folder of your own that you can write/),
  doctor: ['key'],
};

export const machines: readonly Habitat[] = [
  {
    name: 'root',
    lacks: needsRoot,
    make: (place) => place.repository(),
  },
  {
    name: 'an unprivileged user',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await become(place);
      await give(place);
    },
  },
  {
    name: 'root in a repository of somebody else (dubious ownership)',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await place.sh(`chown -R ${somebody} "$WORK" && ! git status 2> /dev/null`);
    },
  },
  {
    name: 'an unprivileged user in a writable repository of root (dubious ownership)',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await place.sh('chmod -R a+rwX "$WORK"');
      await become(place);
    },
  },
  {
    name: 'an unprivileged user in a repository of root that it cannot write',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await become(place);
    },
    expected: refusal(2, 'PLAN_UNWRITABLE', /Check the permissions of the file and its folder/),
    doctor: ['workspace', 'supervisor'],
  },
  {
    name: 'a user id without a name or a home, as in a container',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await become(place, '54321:54321');
      await give(place, '54321:54321');
      place.env['HOME'] = '/';
      delete place.env['MISSION_CONTROL_HOME'];
    },
    expected: refusal(4, 'STATE_FOLDER_UNAVAILABLE', /MISSION_CONTROL_HOME/),
    doctor: ['key', 'supervisor'],
  },
  {
    name: 'a user id without a name, HOME not set, MISSION_CONTROL_HOME set',
    lacks: needsRoot,
    // The key that seals lies below HOME and nowhere else.
    ...unsealed,
    async make(place) {
      await place.repository();
      await become(place, '54321:54321');
      await give(place, '54321:54321');
      delete place.env['HOME'];
    },
  },
  {
    name: 'a user id without a name that sets HOME to a folder of its own, as the refusal says',
    lacks: needsRoot,
    async make(place) {
      await place.repository();
      await become(place, '54321:54321');
      await give(place, '54321:54321');
      place.env['HOME'] = path.join(place.scratch, 'state', 'home');
    },
  },
  {
    name: 'a HOME of another user, which lets this one not pass, as with `docker run --user`',
    lacks: needsRoot,
    ...unsealed,
    async make(place) {
      await place.repository();
      const home = place.env['HOME'] ?? '';
      await become(place, '54321:54321');
      await give(place, '54321:54321');
      await chown(home, 0, 0);
      await chmod(home, 0o700);
    },
  },
  ...['077', '002'].map((mask): Habitat => ({
    name: `umask ${mask}`,
    async make(place) {
      place.enter = ['/bin/sh', '-c', `umask ${mask}; exec "$@"`, 'sh'];
      await place.repository();
    },
  })),
  {
    name: 'a read-only HOME',
    lacks: needsMounts,
    async make(place) {
      delete place.env['MISSION_CONTROL_HOME'];
      await place.mount('mount -t tmpfs none "$HOME"; mount -o remount,ro "$HOME"');
      await place.repository();
    },
    expected: refusal(4, 'STATE_FOLDER_UNAVAILABLE', /MISSION_CONTROL_HOME/),
    doctor: ['key', 'supervisor'],
  },
  {
    name: 'a read-only HOME and MISSION_CONTROL_HOME elsewhere',
    lacks: needsMounts,
    // The key that seals lies below HOME and nowhere else.
    ...unsealed,
    async make(place) {
      await place.mount('mount -t tmpfs none "$HOME"; mount -o remount,ro "$HOME"');
      await place.repository();
    },
  },
  {
    name: 'HOME on another file system',
    lacks: needsMounts,
    async make(place) {
      delete place.env['MISSION_CONTROL_HOME'];
      await place.mount('mount -t tmpfs none "$HOME"');
      await place.repository();
    },
  },
  {
    name: 'HOME on a file system without programs (noexec)',
    lacks: needsMounts,
    async make(place) {
      delete place.env['MISSION_CONTROL_HOME'];
      await place.mount('mount -t tmpfs -o noexec none "$HOME"');
      await place.repository();
    },
  },
  {
    name: 'TMPDIR not set',
    async make(place) {
      delete place.env['TMPDIR'];
      await place.repository();
    },
  },
  {
    name: 'TMPDIR names a folder that is missing',
    async make(place) {
      await place.repository();
      place.env['TMPDIR'] = path.join(place.scratch, 'gone');
    },
  },
  {
    name: 'TMPDIR is full',
    lacks: needsMounts,
    async make(place) {
      await place.mount(
        'mount -t tmpfs -o size=64k none "$TMPDIR"; cat /dev/zero > "$TMPDIR/filled" 2> /dev/null || true',
      );
      await place.repository();
    },
  },
  {
    name: '20,000 files with a big node_modules',
    make: (place) => manyFiles(place, 8000, 12_000),
  },
  {
    name: '100,000 files with a big node_modules',
    rare: true,
    make: (place) => manyFiles(place, 40_000, 60_000),
  },
  {
    name: 'workspace on tmpfs',
    lacks: needsMounts,
    async make(place) {
      await place.mount('mount -t tmpfs none "$WORK"');
      await place.repository();
    },
  },
  {
    name: 'workspace on overlay',
    lacks: needsMounts,
    async make(place) {
      // What is there already lies below: changing it copies it up.
      await place.repository();
      await place.mount(`mkdir "$SCRATCH/upper" "$SCRATCH/inner"
        mount -t overlay -o "lowerdir=$WORK,upperdir=$SCRATCH/upper,workdir=$SCRATCH/inner" none "$WORK"`);
    },
  },
  {
    name: 'a read-only workspace',
    lacks: needsMounts,
    async make(place) {
      await place.repository();
      await place.mount('mount --bind "$WORK" "$WORK"; mount -o remount,bind,ro "$WORK"');
    },
    expected: refusal(2, 'PLAN_UNWRITABLE', /file system that can be written/),
    doctor: ['workspace', 'supervisor'],
  },
  {
    name: 'no space left in the workspace',
    lacks: needsMounts,
    async make(place) {
      await place.mount('mount -t tmpfs -o size=640k none "$WORK"');
      await place.repository();
      await place.sh('cat /dev/zero > "$WORK/filled" 2> /dev/null || true');
    },
    expected: refusal(2, 'PLAN_UNWRITABLE', /Free some space/),
    doctor: ['supervisor'],
  },
  {
    name: 'a disk that fills up in the middle of a mission',
    lacks: needsMounts,
    more: ['disk full'],
    async make(place) {
      // The workspace is a folder on the disk, so that something else can fill it.
      const disk = place.workspace;
      await place.mount('mount -t tmpfs -o size=16m none "$WORK"');
      place.workspace = path.join(disk, 'work');
      await place.repository();
    },
  },
];

const somebody = '65534:65534';

async function needsRoot(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root can become another user';
  return (await succeeds('setpriv', '--version')) ? null : 'there is no setpriv';
}

async function needsMounts(): Promise<string | null> {
  return (await succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'))
    ? null
    : 'this user cannot mount in a namespace of its own';
}

async function manyFiles(place: Place, src: number, modules: number): Promise<void> {
  await place.repository(`echo node_modules > .gitignore
    node -e 'const fs = require("node:fs");
      for (const [top, count] of [["src", ${src}], ["node_modules", ${modules}]])
        for (let n = 0; n < count; n++) {
          const folder = top + "/" + Math.floor(n / 1000) + "/" + Math.floor((n % 1000) / 50);
          if (n % 50 === 0) fs.mkdirSync(folder, { recursive: true });
          fs.writeFileSync(folder + "/" + n + ".js", "exports.n = " + n + ";\\n");
        }'`);
}

/** Everything runs as an unprivileged user from now on, with its own copy of what it runs. */
async function become(place: Place, who = somebody): Promise<void> {
  await place.sh(`mkdir -p "$SCRATCH/product/node" && cp -a '${path.resolve('dist')}' '${path.resolve('package.json')}' '${path.resolve('schemas')}' "$SCRATCH/product"
    rm "$SCRATCH/bin/node"; cp --reflink=auto '${process.execPath}' "$SCRATCH/bin/node"; chmod -R a+rX "$SCRATCH/bin" "$SCRATCH/product"
    mkdir -p "$SCRATCH/state"; chown -R ${who} "$HOME" "$SCRATCH/state" "$TMPDIR"`);
  place.program = [path.join(place.scratch, 'bin', 'node'), path.join(place.scratch, 'product', 'dist', 'cli.js')];
  const [user, group] = who.split(':');
  place.enter = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--inh-caps=-all', '--'];
}

/** The workspace is that user's. */
async function give(place: Place, who = somebody): Promise<void> {
  const { enter } = place;
  place.enter = [];
  await place.sh(`chown -R ${who} "$WORK"`);
  place.enter = enter;
}
