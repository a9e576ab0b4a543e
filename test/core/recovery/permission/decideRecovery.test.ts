import assert from 'node:assert/strict';
import { classifyDenial, type PermissionMatch } from '../../../../src/core/recovery/permission/classify';
import { decideRecovery, type RecoveryPolicy } from '../../../../src/core/recovery/permission/decideRecovery';
import { noWidening, type Widening } from '../../../../src/core/recovery/permission/widening';

const everything = ['add_directory', 'skip_git_repo_check', 'trust_workspace', 'fix_permissions'] as const;

const policy: RecoveryPolicy = {
  allow: everything,
  directories: ['/data/in', '../beside'],
  granted: [],
  workspace_dir: '/home/ada/ws',
  paths: ['src', 'package.json'],
  forbidden_paths: ['src/secret'],
  comparison: { case_insensitive: false },
};

const told = { channel: 'event', pattern: 'any' } as const;

interface Case {
  readonly says: string;
  readonly matches: readonly PermissionMatch[];
  readonly policy?: Partial<RecoveryPolicy>;
  readonly widening?: Partial<Widening>;
  readonly before?: number;
  readonly fixed?: readonly string[];
  /** `none`, `escalate: <part of the reason>`, or what is changed. */
  readonly then: string;
}

const scope = (path: string | null): PermissionMatch => ({
  issue: 'DIR_SCOPE_ERROR',
  action: 'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  path,
  detected: 'Path not in workspace',
  ...told,
});
const git: PermissionMatch = {
  issue: 'GIT_TRUST_ERROR',
  action: 'RELAUNCH_WITH_SKIP_GIT_CHECK',
  path: null,
  detected: 'Not inside a trusted directory',
  ...told,
};
const bits = (path: string | null): PermissionMatch => ({
  issue: 'FS_PERM_ERROR',
  action: 'CHMOD_AND_RELAUNCH',
  path,
  detected: 'EACCES',
  ...told,
});
const other = (issue: PermissionMatch['issue'], action: PermissionMatch['action']): PermissionMatch => ({
  issue,
  action,
  path: '/x',
  detected: 'words',
  ...told,
});

const readOnly = (path: string): PermissionMatch => ({
  issue: 'SANDBOX_ERROR',
  action: 'RELAUNCH_WITH_ADD_DIR',
  path,
  detected: 'EROFS: ',
  ...told,
});

const cases: readonly Case[] = [
  {
    says: 'an approved file that is a hard link to one outside',
    matches: [readOnly('/home/ada/ws/src/linked.js')],
    then: 'escalate: It is a hard link to a file outside what the task may write',
  },
  {
    says: 'a file of a package in a folder that is kept read-only',
    matches: [readOnly('node_modules/.pnpm/a/index.js')],
    then: 'escalate: `package-import-method=copy`',
  },
  {
    says: 'a hard link in an approved directory',
    matches: [readOnly('/data/in/linked')],
    then: 'escalate: It is a hard link to a file outside what the task may write',
  },
  { says: 'a file beside one', matches: [readOnly('/data/in/linked2')], then: 'directories /data/in' },
  { says: 'nothing was denied', matches: [], then: 'none' },
  { says: 'an approved directory', matches: [scope('/data/in/a/b.txt')], then: 'directories /data/in' },
  { says: 'the approved directory itself', matches: [scope('/data/in')], then: 'directories /data/in' },
  {
    says: 'an approved directory beside the workspace',
    matches: [scope('/home/ada/beside/x')],
    then: 'directories /home/ada/beside',
  },
  { says: 'a path relative to the workspace', matches: [scope('../beside/x')], then: 'directories /home/ada/beside' },
  { says: 'a name that only begins like one', matches: [scope('/data/input/a')], then: 'escalate: no directory' },
  { says: 'a path that climbs out', matches: [scope('/data/in/../../etc/passwd')], then: 'escalate: no directory' },
  { says: 'a folder above an approved one', matches: [scope('/data')], then: 'escalate: no directory' },
  {
    says: 'a path in the workspace, outside the task',
    matches: [scope('/home/ada/ws/other')],
    then: 'escalate: approved paths only',
  },
  {
    says: 'a path in the workspace, in a directory that the plan names',
    matches: [scope('/home/ada/ws/other/a')],
    policy: { directories: ['other', '.', '..', '/home/ada/ws'] },
    then: 'escalate: approved paths only',
  },
  { says: 'no path', matches: [scope(null)], then: 'escalate: did not say which directory' },
  {
    says: 'given already',
    matches: [scope('/data/in/a')],
    widening: { add_directories: ['/data/in'] },
    then: 'escalate: change nothing',
  },
  {
    says: 'only reading was denied',
    matches: [{ ...scope('/data/in/a'), reads: true }],
    then: 'directories /data/in, only to read /data/in',
  },
  {
    says: 'reading in one and writing in another',
    matches: [{ ...scope('/data/in/a'), reads: true }, scope('../beside/b')],
    then: 'directories /data/in /home/ada/beside, only to read /data/in',
  },
  {
    says: 'reading and writing in the same',
    matches: [{ ...scope('/data/in/a'), reads: true }, scope('/data/in/b')],
    then: 'directories /data/in',
  },
  {
    says: 'writing where reading was given already',
    matches: [scope('/data/in/a')],
    widening: { add_directories: ['/data/in'], read_only: ['/data/in'] },
    then: 'directories /data/in',
  },
  {
    says: 'reading where reading was given already',
    matches: [{ ...scope('/data/in/a'), reads: true }],
    widening: { add_directories: ['/data/in'], read_only: ['/data/in'] },
    then: 'escalate: change nothing',
  },
  {
    says: 'not allowed',
    matches: [scope('/data/in/a')],
    policy: { allow: [] },
    then: 'escalate: does not allow add_directory',
  },
  {
    says: 'two at once',
    matches: [scope('/data/in/a'), scope('../beside/b')],
    then: 'directories /data/in /home/ada/beside',
  },
  {
    says: 'one that is approved among others',
    matches: [scope('/etc/passwd'), scope('/data/in/a')],
    then: 'directories /data/in',
  },
  { says: 'the third relaunch', matches: [scope('/data/in/a')], before: 2, then: 'directories /data/in' },
  { says: 'the fourth', matches: [scope('/data/in/a')], before: 3, then: 'escalate: 3 relaunches did not help' },
  { says: 'in other letters, where case counts', matches: [scope('/DATA/in/a')], then: 'escalate: no directory' },
  {
    says: 'in other letters, where it does not',
    matches: [scope('/DATA/in/a')],
    policy: { comparison: { case_insensitive: true } },
    then: 'directories /data/in',
  },
  {
    says: 'a Windows path',
    matches: [scope('C:\\data\\in\\a.txt')],
    policy: { directories: ['C:\\data\\in'] },
    then: 'directories C:/data/in',
  },
  {
    says: 'a granted directory, which the plan does not allow',
    matches: [scope('/other/a')],
    policy: {
      allow: [],
      granted: [
        {
          permission: 'add_directory',
          directory: '/other',
          decision: { actor: { kind: 'human', name: 'ada' }, reason: 'r', at: 't' },
        },
      ],
    },
    then: 'directories /other',
  },
  {
    says: 'a grant of one directory is none of another approved by nobody',
    matches: [scope('/data/in/a')],
    policy: {
      allow: [],
      granted: [
        {
          permission: 'add_directory',
          directory: '/other',
          decision: { actor: { kind: 'human', name: 'ada' }, reason: 'r', at: 't' },
        },
      ],
    },
    then: 'escalate: does not allow add_directory',
  },
  { says: 'the Git check', matches: [git], then: 'skip_git_repo_check' },
  {
    says: 'the Git check, skipped already',
    matches: [git],
    widening: { skip_git_repo_check: true },
    then: 'escalate: change nothing',
  },
  {
    says: 'the Git check, not allowed',
    matches: [git],
    policy: { allow: ['trust_workspace'] },
    then: 'escalate: does not allow skip_git_repo_check',
  },
  { says: 'bits inside the task', matches: [bits('src/a.txt')], then: 'bits src/a.txt' },
  { says: 'bits in an approved directory', matches: [bits('/data/in/a')], then: 'bits /data/in/a' },
  { says: 'bits outside', matches: [bits('/home/ada/ws/other/a')], then: 'escalate: no directory' },
  { says: 'bits in a forbidden path', matches: [bits('src/secret/a')], then: 'escalate: no directory' },
  {
    says: 'bits in a reserved folder',
    matches: [bits('.git/config')],
    policy: { paths: ['.'] },
    then: 'escalate: no directory',
  },
  {
    says: 'bits, once for a path',
    matches: [bits('src/a.txt')],
    fixed: ['src/a.txt'],
    then: 'escalate: change nothing',
  },
  { says: 'a tool that is withheld', matches: [other('TOOL_DENIED', 'ESCALATE')], then: 'none' },
  { says: 'the limits of a provider', matches: [other('RATE_LIMITED', 'BLOCK')], then: 'none' },
  {
    says: 'a CLI that is not signed in',
    matches: [other('LOGIN_REQUIRED', 'ESCALATE')],
    then: 'escalate: not signed in',
  },
  {
    says: 'an unknown denial',
    matches: [other('UNKNOWN_PERMISSION_ERROR', 'ESCALATE')],
    then: 'escalate: not known here',
  },
];

describe('what follows from a denial', () => {
  for (const { says, matches, policy: changed, widening, before = 0, fixed = [], then } of cases)
    it(`${says}: ${then}`, () => {
      const verdict = decideRecovery({
        matches,
        widening: { ...noWidening, ...widening },
        policy: { ...policy, ...changed },
        relaunches: () => before,
        fixed,
        heldLinks: ['src/linked.js', 'node_modules/.pnpm', '/data/in/linked'],
      });
      const found =
        verdict.kind === 'none'
          ? 'none'
          : verdict.kind === 'escalate'
            ? `escalate: ${verdict.why}`
            : verdict.fix_permissions !== null
              ? `bits ${verdict.fix_permissions}`
              : verdict.widening.skip_git_repo_check
                ? 'skip_git_repo_check'
                : `directories ${verdict.widening.add_directories.join(' ')}${(verdict.widening.read_only ?? []).map((one) => `, only to read ${one}`).join('')}`;
      if (then.startsWith('escalate: ')) {
        assert.equal(verdict.kind, 'escalate', found);
        assert.ok(found.includes(then.slice('escalate: '.length)), found);
      } else assert.equal(found, then);
    });

  it('names the variables that were not passed to a CLI that is not signed in', () => {
    const question = {
      matches: [other('LOGIN_REQUIRED', 'ESCALATE')],
      widening: noWidening,
      policy,
      fixed: [],
      heldLinks: [],
    };
    const not_passed = { agent: 'claude', variables: ['AWS_REGION', 'AWS_PROFILE'] };
    const verdict = decideRecovery({ ...question, relaunches: () => 0, not_passed });
    const why = verdict.kind === 'escalate' ? verdict.why : '';
    assert.match(
      why,
      /Set here and not passed to it: AWS_REGION, AWS_PROFILE\. .* --cli-env claude=AWS_REGION --cli-env claude=AWS_PROFILE \(in VS Code: the setting missionControl\.env\.claude\)\.$/,
    );
  });

  it('counts the relaunch that it decides on', () => {
    const question = { matches: [git], widening: noWidening, policy, relaunches: () => 2, fixed: [], heldLinks: [] };
    const verdict = decideRecovery(question);
    assert.equal(verdict.kind === 'relaunch' && verdict.retry_count, 3);
  });

  it('a denial that no row of the table knows is never answered by a relaunch', () => {
    const match = classifyDenial('claude', '2.1.328', {
      kind: 'denial',
      tool: 'Write',
      path: '/data/in/a',
      reason: 'because',
      source: 'event',
    });
    assert.ok(match);
    assert.equal(
      decideRecovery({ matches: [match], widening: noWidening, policy, relaunches: () => 0, fixed: [], heldLinks: [] })
        .kind,
      'escalate',
    );
  });
});
