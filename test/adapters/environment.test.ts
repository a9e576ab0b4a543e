import assert from 'node:assert/strict';
import { carriedEnvironment, supervisorEnvironment, workerEnvironment } from '../../src/adapters/launches/environment';

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

describe('the environment of a worker', () => {
  it('is the base list and what was asked for', () => {
    const base = ['HOME', 'HTTPS_PROXY', 'LANG', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH'];
    assert.deepEqual(workerEnvironment('command', source, [], 'linux').names, base);
    assert.deepEqual(workerEnvironment('verify', source, ['AWS_REGION', 'UNSET', 'ABSENT'], 'linux').names, [
      'AWS_REGION',
      ...base,
    ]);
    const claude = workerEnvironment('claude', source, ['ANTHROPIC_API_KEY'], 'linux');
    assert.deepEqual(claude.names, ['ANTHROPIC_API_KEY', ...base, 'SSH_AUTH_SOCK']);
    assert.equal(claude.values['ANTHROPIC_API_KEY'], 'key');
  });

  it('takes patterns, but not what a session around us says about itself', () => {
    const { names } = workerEnvironment('codex', source, ['AWS_*', 'CLAUDE_CODE_*', 'npm_*', '*'], 'linux');
    assert.ok(names.includes('AWS_SECRET_ACCESS_KEY') && names.includes('AWS_REGION'));
    for (const name of ['CLAUDE_CODE_ENTRYPOINT', 'npm_lifecycle_event', 'CLAUDECODE', 'VSCODE_IPC_HOOK'])
      assert.equal(names.includes(name), false, name);
    assert.ok(workerEnvironment('command', source, ['NODE_OPTIONS'], 'linux').names.includes('NODE_OPTIONS'));
  });

  it('never holds what would change our own programs, asked for or not', () => {
    const { names } = workerEnvironment(
      'command',
      source,
      ['ELECTRON_RUN_AS_NODE', 'MISSION_RUN_NONCE', 'ELECTRON_*', 'MISSION_*'],
      'linux',
    );
    assert.equal(
      names.some((name) => /ELECTRON|MISSION/.test(name)),
      false,
    );
  });

  it('on Windows names have no case', () => {
    const { values } = workerEnvironment(
      'codex',
      { Path: 'C:\\', systemroot: 'C:\\Windows', my_key: 'v', Other: 'o' },
      ['MY_KEY'],
      'win32',
    );
    assert.deepEqual(values, { Path: 'C:\\', systemroot: 'C:\\Windows', my_key: 'v' });
  });

  it('travels through the supervisor without acting on it', () => {
    const values = { PATH: '/worker/bin', NODE_OPTIONS: '--inspect', 'odd name': 'x' };
    const own = supervisorEnvironment(source, values, true);
    assert.deepEqual(
      [own['PATH'], own['NODE_OPTIONS'], own['ELECTRON_RUN_AS_NODE'], own['AWS_REGION'], own['MISSION_RUN_NONCE']],
      ['/bin', undefined, '1', undefined, undefined],
    );
    assert.deepEqual(carriedEnvironment(own), values);
  });
});
