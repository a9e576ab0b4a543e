import { named } from './chosen';
import { lookAround } from './look';

/** One of each kind, beside those of every day; `npm run test:habitats -- --confined` visits all. */
const chosen = named(
  'root in a repository of somebody else (dubious ownership)',
  'a read-only HOME',
  'TMPDIR not set',
  'workspace on tmpfs',
  'file names in the tree: both Unicode forms, newline, tab, quotes, leading dash, not UTF-8',
  'workspace behind a symlink',
  'HOME is the workspace',
  'ES module package',
  'monorepo: the workspace is a package below its root',
  'husky: core.hooksPath in the work tree',
  'Yarn PnP, asked for by the plan',
  'Node 20 on PATH and no newer one beside mission',
  'submodules',
  'linked worktree',
  'nested repositories',
  'no repository',
  'no git on PATH, in a repository',
);

lookAround('confined', chosen, true);
