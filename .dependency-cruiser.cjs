// The import table of ARCHITECTURE.md as rules: the folder name says what a file may touch.
// Types count as imports (`tsPreCompilationDeps`). test/architecture/imports.test.ts holds one violation per rule.

const floors = require('./scripts/floors.cjs');

const programs = ['supervisor', 'mcp', 'cli', 'extension'];
const rooms = ['contracts', 'base', 'core', 'workers', 'engine', 'adapters', ...programs];

/** A place on a floor as a pattern. */
function placeOn(room, place) {
  return typeof place === 'string' ? `src/${room}/${place}/` : `src/${room}/${place.file}\\.ts$`;
}

function floorRules([room, storeys]) {
  return storeys.flatMap((storey, height) =>
    storey.map((place) => ({
      name: `${room}-floors-${typeof place === 'string' ? place : `${place.file}.ts`}`,
      comment: `In ${room} this place stands on the floor of ${[...storeys.slice(0, height).flat()].map((one) => one.file ?? one).join(', ') || 'nothing'}.`,
      from: { path: `^${placeOn(room, place)}` },
      to: {
        path: `^src/${room}/`,
        pathNot: [...storeys.slice(0, height).flat(), place].map((one) => `^${placeOn(room, one)}`),
      },
    })),
  );
}

const inRoom = `^(${[
  ...rooms.filter((room) => !(room in floors)).map((room) => `src/${room}/`),
  ...Object.entries(floors).flatMap(([room, storeys]) => storeys.flat().map((place) => placeOn(room, place))),
  'webview-ui/',
].join('|')})`;

/** Import-free `as const` lists: every room may take their values. */
const vocabulary = '^src/contracts/vocabulary/.+\\.ts$';
const contracts = '^src/contracts/';
const coreView = '^src/core/view/';
/** The ground floor: refusals, JSON values, and what makes text of others safe to show. */
const base = '^src/base/';
/** What each agent is, as data. */
const agentRegistry = '^src/workers/registry\\.ts$';
const workerRegistry = '^src/workers/(registry|versions)\\.ts$';
const enginePorts = '^src/engine/ports/';

/**
 * One row of the table per room. `values`: what may be imported as it stands; `types`: what may be imported with
 * `import type`; `packages`: npm packages; `node`: Node's own modules (true: all).
 */
const table = {
  contracts: { values: [contracts], types: [], packages: ['zod'], node: [] },
  base: { values: [base, vocabulary], types: [], packages: ['@noble/hashes'], node: [] },
  workers: { values: ['^src/workers/', base, vocabulary], types: [contracts], packages: [], node: [] },
  core: {
    values: ['^src/core/', base, vocabulary, agentRegistry],
    types: [contracts, '^src/workers/worker\\.ts$'],
    packages: [],
    node: [],
  },
  engine: {
    values: ['^src/engine/', contracts, base, '^src/core/', '^src/workers/'],
    types: [],
    packages: [],
    node: [],
  },
  adapters: {
    values: ['^src/adapters/', contracts, base],
    types: ['^src/core/', '^src/workers/', enginePorts],
    packages: ['ajv', 'ajv-formats', 'jsonc-parser', 'diff', 'execa', 'string-width', 'better-sse', 'smol-toml'],
    node: true,
  },
  supervisor: program('supervisor', ['execa']),
  mcp: program('mcp', ['@modelcontextprotocol/sdk']),
  cli: program('cli', []),
  extension: {
    values: ['^src/extension/', contracts, coreView, base, workerRegistry, '^src/engine/', '^src/adapters/'],
    types: ['^src/core/'],
    packages: ['@types/vscode'],
    node: ['path', 'module'],
  },
  'webview-ui': {
    values: [
      '^webview-ui/',
      '^src/contracts/page/(missionView|blockView|liveView|milestoneView|panelView|panelMessages|menuKeys)\\.ts$',
      vocabulary,
      base,
    ],
    types: ['^src/contracts/page/pageMessage\\.ts$'],
    packages: ['preact', '@dagrejs/dagre'],
    node: [],
  },
};

function program(room, packages) {
  return {
    values: [`^src/${room}/`, contracts, coreView, base, '^src/workers/', '^src/engine/', '^src/adapters/'],
    types: ['^src/core/'],
    packages,
    node: true,
  };
}

const inside = '^(src|webview-ui)/';
const packageFolder = '(^|/)node_modules/';
const typeOnly = ['type-only'];

function rowRules([room, { values, types, packages, node }]) {
  const from = { path: room === 'webview-ui' ? '^webview-ui/' : `^src/${room}/` };
  const rules = [
    {
      name: `${room}-rooms`,
      comment: `The import table does not let ${room} see this room.`,
      from,
      to: { path: inside, pathNot: [...values, ...types] },
    },
    {
      name: `${room}-packages`,
      comment: `${room} may use these npm packages: ${packages.join(', ') || 'none'}.`,
      from,
      to: { path: packageFolder, pathNot: packages.map((name) => `${packageFolder}${name}/`) },
    },
  ];
  if (types.length > 0) {
    rules.push({
      name: `${room}-types-only`,
      comment: `${room} sees this file's types only: write \`import type\`.`,
      from,
      to: { path: types, pathNot: values, dependencyTypesNot: typeOnly },
    });
  }
  if (node !== true) {
    rules.push({
      name: `${room}-node`,
      comment: `${room} may use these modules of Node: ${node.map((name) => `node:${name}`).join(', ') || 'none'}.`,
      from,
      to: { dependencyTypes: ['core'], ...(node.length > 0 && { pathNot: node.map((name) => `^(node:)?${name}$`) }) },
    });
  }
  return rules;
}

const houseRules = [
  {
    name: 'room-for-every-file',
    comment: 'A file of src/ in no room may not import anything: move it into a room.',
    from: { path: '^src/', pathNot: inRoom },
    to: {},
  },
  {
    name: 'room-for-every-import',
    comment: 'A file of src/ in no room may not be imported: move it into a room.',
    from: {},
    to: { path: '^src/', pathNot: inRoom },
  },
  {
    name: 'room-for-every-orphan',
    comment: 'A file of src/ in no room may not exist: move it into a room.',
    from: { orphan: true, path: '^src/', pathNot: inRoom },
    to: {},
  },
  { name: 'no-cycles', comment: 'Cycles are errors, type imports included.', from: {}, to: { circular: true } },
  {
    name: 'subfolder-below-its-folder',
    comment: 'A folder may use its subfolders, so they may not use it. With the floors no two folders use each other.',
    from: { path: '^(src/(?:base|contracts)|src/[^/]+/[^/]+)/[^/]+/' },
    to: { path: '^$1/[^/]+$' },
  },
  {
    name: 'extension-is-a-root',
    comment: 'Nothing imports the extension (its tests may).',
    from: { pathNot: '^(src/extension|test)/' },
    to: { path: '^src/extension/' },
  },
  {
    name: 'programs-stay-apart',
    comment: 'The programs share code through the rooms below them, not with each other.',
    from: { path: `^src/(${programs.join('|')})/` },
    to: { path: `^src/(${programs.join('|')})/`, pathNot: '^src/$1/' },
  },
  {
    name: 'vscode-in-extension-only',
    comment: 'Only src/extension (and tests that run in VS Code) may import `vscode`.',
    from: { pathNot: '^(src/extension|test)/' },
    to: { path: '^vscode$|(^|/)node_modules/@types/vscode/' },
  },
  {
    name: 'product-without-tests',
    comment: 'The product does not import tests or scripts.',
    from: { path: inside },
    to: { path: '^(test|scripts)/' },
  },
  {
    name: 'resolvable',
    comment: 'What cannot be resolved cannot be judged. VS Code tests use packages of test/tools/vscode.',
    from: { pathNot: '^test/vscode/' },
    to: { couldNotResolve: true, pathNot: '^vscode$' },
  },
  {
    name: 'declared-packages',
    comment: 'An npm package in use stands in package.json.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(table).flatMap(rowRules),
    ...Object.entries(floors).flatMap(floorRules),
    ...houseRules,
  ].map((rule) => ({
    severity: 'error',
    ...rule,
  })),
  options: {
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(dist|dist-test|\\.tsbuild|test/tools)/', '^test/[^/]+/fixtures/', '^test/fixtures/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.cjs', '.js', '.json'],
    },
  },
};
