import path from 'node:path';
import type { Habitat } from '../habitat';
import type { Place } from '../place';

/** How the repository around the workspace is laid out and what state it is in. */
export const repositories: readonly Habitat[] = [
  {
    name: 'submodules',
    async make(place) {
      await place.sh(
        `git init -q -b main "$SCRATCH/library" && cd "$SCRATCH/library" && echo lib > lib.txt && git add . && git commit -q -m library`,
      );
      await place.repository('git submodule --quiet add "$SCRATCH/library" vendor/library');
    },
  },
  {
    name: 'the workspace is a submodule',
    async make(place) {
      const top = path.join(place.scratch, 'library');
      const outer = place.workspace;
      place.workspace = top;
      await place.repository();
      place.workspace = outer;
      await place.repository(`git submodule --quiet add '${top}' vendor/library`);
      place.workspace = path.join(outer, 'vendor', 'library');
    },
  },
  {
    name: 'linked worktree',
    async make(place) {
      const main = path.join(place.scratch, 'main');
      const linked = place.workspace;
      place.workspace = main;
      await place.repository();
      await place.sh(`git worktree add -q -b side '${linked}'`);
      place.workspace = linked;
    },
  },
  {
    name: 'nested repositories',
    make: (place) =>
      place.repository(`for inner in inner deep/er/inner; do mkdir -p $inner; git init -q $inner; echo text > $inner/text.txt
        git -C $inner add . ; git -C $inner commit -q -m inner; done; echo deep > .gitignore`),
  },
  {
    name: 'workspace below the root of the repository',
    async make(place) {
      const root = place.workspace;
      place.workspace = path.join(root, 'some', 'folder');
      place.files();
      place.write(path.join(root, 'above.txt'), 'above\n');
      await place.sh('cd ../.. && git init -q -b main && git add -A && git commit -q -m first');
    },
  },
  {
    name: 'sparse checkout',
    make: (place) =>
      place
        .repository('mkdir -p src other && echo a > src/a.txt && echo b > other/b.txt')
        .then(() => place.sh('git sparse-checkout set --cone src tools docs && test ! -e other'))
        .then(() => undefined),
  },
  {
    name: 'file system monitor by hook, untracked cache',
    async make(place) {
      await place.repository();
      place.write(
        path.join(place.outside, 'monitor'),
        `#!/bin/sh\ntouch '${place.outside}/monitor-ran'\nexit 1\n`,
        0o755,
      );
      await place.sh(`git config core.fsmonitor "$OUTSIDE/monitor"; git config core.untrackedCache true
        git update-index --untracked-cache; git status --short > /dev/null; test -e "$OUTSIDE/monitor-ran"; rm "$OUTSIDE/monitor-ran"`);
    },
    afterwards: noMark('monitor-ran', 'the monitor was not run'),
  },
  {
    name: 'core.autocrlf=true',
    make: (place) =>
      place
        .repository(`git config core.autocrlf true && printf 'one\\ntwo\\n' > lines.txt`)
        .then(() => place.sh("rm lines.txt && git checkout -q lines.txt && grep -q $'\\r' lines.txt"))
        .then(() => undefined),
  },
  {
    name: 'LFS filter required and git-lfs missing',
    async make(place) {
      await place.repository(
        `echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes && echo pointer > image.bin`,
      );
      await place.sh(`git config filter.lfs.process 'git-lfs-that-is-missing filter-process'; git config filter.lfs.clean 'git-lfs-that-is-missing clean'
        git config filter.lfs.smudge 'git-lfs-that-is-missing smudge'; git config filter.lfs.required true; echo changed > image.bin`);
    },
  },
  {
    name: 'LFS attributes without a filter',
    make: (place) =>
      place.repository(`echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes && echo pointer > image.bin`),
  },
  {
    name: 'no repository',
    commit: 'none',
    make(place) {
      place.files();
      return Promise.resolve();
    },
  },
  {
    name: 'no git on PATH, no repository',
    commit: 'none',
    doctor: ['git'],
    make(place) {
      place.files();
      place.env['PATH'] = path.join(place.scratch, 'bin');
      return Promise.resolve();
    },
  },
  {
    name: 'no git on PATH, in a repository',
    doctor: ['git'],
    async make(place) {
      await place.repository();
      place.env['PATH'] = path.join(place.scratch, 'bin');
    },
  },
  {
    name: 'no commit yet',
    commit: 'none',
    async make(place) {
      place.files();
      await place.sh('git init -q -b main && git add kept.txt');
    },
  },
  {
    name: 'detached HEAD',
    make: (place) =>
      place
        .repository()
        .then(() => place.sh('git checkout -q --detach'))
        .then(() => undefined),
  },
  {
    name: 'rebase in progress',
    async make(place) {
      await place.repository('echo one > conflict.txt');
      await place.sh(`git checkout -q -b side && echo side > conflict.txt && git commit -q -am side
        git checkout -q main && echo main > conflict.txt && git commit -q -am main
        git checkout -q side && ! git rebase -q main > /dev/null 2>&1 && test -d .git/rebase-merge`);
    },
  },
  {
    name: 'merge with conflicts',
    async make(place) {
      await place.repository('echo one > conflict.txt');
      await place.sh(`git checkout -q -b side && echo side > conflict.txt && git commit -q -am side
        git checkout -q main && echo main > conflict.txt && git commit -q -am main
        ! git merge -q side > /dev/null 2>&1 && test -e .git/MERGE_HEAD`);
    },
  },
  {
    name: 'shallow clone',
    async make(place) {
      const origin = path.join(place.scratch, 'origin');
      const clone = place.workspace;
      place.workspace = origin;
      await place.repository();
      await place.sh('git commit -q --allow-empty -m second');
      await place.sh(`git clone -q --depth 1 'file://${origin}' '${clone}'`);
      place.workspace = clone;
      await place.sh('test "$(git rev-parse --is-shallow-repository)" = true');
    },
  },
  {
    name: 'partial clone whose origin is gone',
    async make(place) {
      const origin = path.join(place.scratch, 'origin');
      const clone = place.workspace;
      place.workspace = origin;
      await place.repository();
      await place.sh(
        `git config uploadpack.allowFilter true; git clone -q --filter=blob:none 'file://${origin}' '${clone}'`,
      );
      place.workspace = clone;
      await place.sh('rm -rf "$SCRATCH/origin"');
    },
  },
  {
    name: 'packed refs and objects after gc',
    make: (place) =>
      place
        .repository()
        .then(() => place.sh('git tag one && git pack-refs --all && git gc -q'))
        .then(() => undefined),
  },
  {
    name: 'GIT_DIR of another repository in the environment',
    async make(place) {
      await other(place);
      place.env['GIT_DIR'] = path.join(place.scratch, 'other', '.git');
    },
  },
  {
    name: 'GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE in the environment, as in a hook',
    async make(place) {
      await other(place);
      place.env['GIT_DIR'] = path.join(place.scratch, 'other', '.git');
      place.env['GIT_WORK_TREE'] = path.join(place.scratch, 'other');
      place.env['GIT_INDEX_FILE'] = path.join(place.scratch, 'other', '.git', 'index');
      place.env['GIT_CONFIG_COUNT'] = '1';
      place.env['GIT_CONFIG_KEY_0'] = 'core.bare';
      place.env['GIT_CONFIG_VALUE_0'] = 'true';
    },
  },
];

async function other(place: Place): Promise<void> {
  await place.repository();
  await place.sh(
    'git init -q -b other "$SCRATCH/other" && cd "$SCRATCH/other" && git commit -q --allow-empty -m other',
  );
}

export function noMark(name: string, fact: string): NonNullable<Habitat['afterwards']> {
  return (place) => Promise.resolve({ [fact]: !place.exists(path.join(place.outside, name)) });
}
