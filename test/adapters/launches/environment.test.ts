import assert from 'node:assert/strict';
import {
  carriedEnvironment,
  supervisorEnvironment,
  workerEnvironment,
  type WorkerEnvironment,
} from '../../../src/adapters/launches/environment';
import { sessionVariablesOf } from '../../../src/adapters/launches/workerCatalog';
import { agentNames, type WorkerName } from '../../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../../src/workers/registry';

const source = {
  PATH: '/bin',
  HOME: '/home/x',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  HTTPS_PROXY: 'http://proxy:1',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSH_AUTH_SOCK: '/run/agent',
  AWS_REGION: 'eu',
  AWS_SECRET_ACCESS_KEY: 'not for everybody',
  ANTHROPIC_API_KEY: 'key',
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CODEX_SANDBOX: 'x',
  GEMINI_CLI: '1',
  VSCODE_IPC_HOOK: '/sock',
  npm_lifecycle_event: 'test',
  NODE_OPTIONS: '--inspect',
  ELECTRON_RUN_AS_NODE: '1',
  MISSION_RUN_NONCE: 'n',
  UNSET: undefined,
};

const sessionVariables = sessionVariablesOf(agentWorkers);
const environmentOf = (kind: WorkerName | 'verify', names: readonly string[]): WorkerEnvironment =>
  workerEnvironment({ kind, names, sessionVariables }, source, 'linux');

describe('the environment of a worker', () => {
  it('is the base list and what was asked for', () => {
    const base = ['HOME', 'HTTPS_PROXY', 'LANG', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH'];
    assert.deepEqual(environmentOf('command', []).names, base);
    assert.deepEqual(environmentOf('verify', ['AWS_REGION', 'UNSET', 'ABSENT']).names, ['AWS_REGION', ...base]);
    const claude = environmentOf('claude', ['ANTHROPIC_API_KEY']);
    assert.deepEqual(claude.names, ['ANTHROPIC_API_KEY', ...base, 'SSH_AUTH_SOCK']);
    assert.equal(claude.values['ANTHROPIC_API_KEY'], 'key');
  });

  it('takes patterns, but no variable of an agent session that Mission Control runs in', () => {
    const { names } = environmentOf('codex', ['AWS_*', 'CLAUDE_CODE_*', 'npm_*', '*']);
    assert.ok(names.includes('AWS_SECRET_ACCESS_KEY') && names.includes('AWS_REGION'));
    for (const name of ['CLAUDE_CODE_ENTRYPOINT', 'npm_lifecycle_event', 'CLAUDECODE', 'VSCODE_IPC_HOOK'])
      assert.equal(names.includes(name), false, name);
    assert.ok(environmentOf('command', ['NODE_OPTIONS']).names.includes('NODE_OPTIONS'));
  });

  for (const agent of agentNames)
    it(`takes no session variable of ${agent} by a pattern, and each by its exact name`, () => {
      for (const pattern of agentWorkers[agent].sessionVariables) {
        const name = pattern.replace('*', '_OF_A_SESSION');
        const around = { PATH: '/bin', [name]: 'x' };
        const got = (names: readonly string[]): boolean =>
          name in workerEnvironment({ kind: agent, names, sessionVariables }, around, 'linux').values;
        assert.deepEqual([got([`${name.slice(0, 4)}*`]), got([pattern]), got([name])], [false, pattern === name, true]);
      }
    });

  it("never holds a variable that would change Mission Control's own programs, even when the plan asks for it", () => {
    const asked = ['ELECTRON_RUN_AS_NODE', 'MISSION_RUN_NONCE', 'ELECTRON_*', 'MISSION_*'];
    const { names } = environmentOf('command', asked);
    assert.equal(
      names.some((name) => /ELECTRON|MISSION/.test(name)),
      false,
    );
  });

  it('on Windows names have no case', () => {
    const { values } = workerEnvironment(
      { kind: 'codex', names: ['MY_KEY'], sessionVariables },
      { Path: 'C:\\', systemroot: 'C:\\Windows', my_key: 'v', Other: 'o' },
      'win32',
    );
    assert.deepEqual(values, { Path: 'C:\\', systemroot: 'C:\\Windows', my_key: 'v' });
  });

  it('travels through the supervisor without acting on it', () => {
    const values = { PATH: '/worker/bin', NODE_OPTIONS: '--inspect', 'odd name': 'x' };
    const own = supervisorEnvironment(source, values, { ELECTRON_RUN_AS_NODE: '1' });
    assert.deepEqual(
      [own['PATH'], own['NODE_OPTIONS'], own['ELECTRON_RUN_AS_NODE'], own['AWS_REGION'], own['MISSION_RUN_NONCE']],
      ['/bin', undefined, '1', undefined, undefined],
    );
    assert.deepEqual(carriedEnvironment(own), values);
  });
});
