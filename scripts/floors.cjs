const { readdirSync } = require('node:fs');
const path = require('node:path');

function namesOfFolders(room) {
  const entries = readdirSync(path.join(__dirname, '..', room), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Inside a room folders are floors, lowest first: a folder may use those below it and no other. `{ file }` stands
 * directly in the room. A file anywhere else in such a room is in no room. .dependency-cruiser.cjs makes rules of it,
 * test/architecture/floors.test.ts shows each of them red.
 */
module.exports = {
  core: [
    ['paths', 'documents', 'execution', 'telemetry', 'policy'],
    ['locks', 'plan', 'observation', 'packets', 'project', 'memory'],
    ['ledger', 'evidence', 'recovery'],
    ['freshContext'],
    ['model'],
    ['context', 'audit'],
    ['lifecycle', 'confinement'],
    ['mission'],
    ['view', 'handoff', 'verify'],
  ],
  workers: [
    [{ file: 'worker' }, { file: 'versions' }],
    ['shared'],
    // A folder for each CLI and for commands.
    namesOfFolders('src/workers').filter((name) => name !== 'shared'),
    [{ file: 'registry' }],
  ],
  engine: [
    ['ports'],
    ['plans', 'evidence'],
    ['effects', 'views'],
    ['mission', 'drafts'],
    ['handoff', 'external'],
    ['owner'],
    ['fleet'],
  ],
  adapters: [
    ['files', 'system'],
    ['git', 'journal', 'processes', 'events', 'fleet'],
    ['user'],
    ['sandbox'],
    ['documents', 'state', 'launches'],
    ['workspace', 'evidence', 'handoff', 'inbox', 'orchestrator'],
    [{ file: 'nodeViewer' }],
    [{ file: 'nodePorts' }],
    ['doctor'],
  ],
  cli: [
    ['shell'],
    ['show'],
    ['owner'],
    ['serve'],
    ['commands'],
    [{ file: 'commands' }],
    [{ file: 'main' }],
    [{ file: 'cli' }],
  ],
  extension: [
    ['window'],
    ['registry'],
    ['folder', 'plans'],
    ['pages', 'views', 'editor'],
    [{ file: 'compose' }],
    ['terminals'],
    ['commands'],
    ['trees'],
    ['panel'],
    [{ file: 'contributions' }],
    [{ file: 'activation' }],
    [{ file: 'extension' }],
  ],
};
