import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { refusal, type Habitat } from '../habitat';

/** What the workspace folder and its files are called, and where it lies. */
export const names: readonly Habitat[] = [
  named('spaces', 'my work, second  copy'),
  named('quotes', `it's "here" $(touch x) \`y\``),
  named('non-ASCII letters, composed', 'Ä-日本語-naïve'.normalize('NFC')),
  named('non-ASCII letters, decomposed', 'Ä-日本語-naïve'.normalize('NFD')),
  named('a leading dash', '-rf'),
  named('a percent sign, a hash and a colon', 'a%20b#c:d'),
  named('a folder of 200 characters', 'long-'.repeat(40)),
  {
    // SQLite takes no path of more than 512 bytes.
    ...named('nested folders of 200 characters', ['long-', 'deep-', 'more-'].map((part) => part.repeat(40)).join('/')),
    expected: refusal(4, 'LEASE_UNSUPPORTED', /too long a path[^]*Move the workspace to a path that is shorter/),
    doctor: ['file-system'],
  },
  {
    name: 'file names in the tree: both Unicode forms, newline, tab, quotes, leading dash, not UTF-8',
    make: (place) =>
      place.repository(
        `touch -- $'line\\nbreak.txt' $'tab\\there.txt' '"quoted".txt' '-dash.txt' $'\\xff\\xfe.bin' $'A\\u0308.txt' $'\\u00c4.txt' ' space '`,
      ),
  },
  {
    name: 'workspace behind a symlink',
    async make(place) {
      const real = path.join(place.scratch, 'real');
      const link = place.workspace;
      place.workspace = real;
      await place.repository();
      await place.sh(`ln -s '${real}' '${link}'`);
      place.workspace = link;
    },
  },
  {
    name: 'a folder above the workspace is a symlink',
    async make(place) {
      mkdirSync(path.join(place.scratch, 'real'));
      await place.sh('ln -s real "$SCRATCH/link"');
      place.workspace = path.join(place.scratch, 'link', 'work');
      await place.repository();
    },
  },
  {
    name: 'typed in a folder below the workspace',
    async make(place) {
      await place.repository('mkdir -p sub/folder && touch sub/folder/file');
      place.cwd = path.join(place.workspace, 'sub', 'folder');
    },
    doctor: ['WORKSPACE_ABOVE'],
    expected: refusal(2, 'WORKSPACE_ABOVE', /^mission .* --workspace \S+work$/m),
  },
  {
    name: 'HOME is the workspace',
    async make(place) {
      place.env['HOME'] = place.workspace;
      delete place.env['MISSION_CONTROL_HOME'];
      await place.repository('echo .local > .gitignore');
    },
  },
];

function named(what: string, folder: string): Habitat {
  return {
    name: `a path with ${what}`,
    make(place) {
      place.workspace = path.join(place.scratch, folder);
      return place.repository();
    },
  };
}
