import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { whyNot, type MachineFacts } from '../../../../src/adapters/sandbox/bubblewrap/bubblewrapCheck';

const debian: MachineFacts = {
  root: false,
  osRelease: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"',
  kernel: '6.1.0-18-amd64',
  container: false,
  usersForbidden: false,
  noUserNamespaces: false,
  apparmor: false,
};
const failure = { file: '/usr/bin/bwrap', stderr: '', code: 1 };

describe('why there is no sandbox', () => {
  const missing = [
    { os: 'ID=ubuntu\nID_LIKE=debian', command: 'sudo apt-get install bubblewrap' },
    { os: 'ID="rocky"\nID_LIKE="rhel centos fedora"', command: 'sudo dnf install bubblewrap' },
    { os: 'ID=manjaro\nID_LIKE=arch', command: 'sudo pacman -S bubblewrap' },
    { os: 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"', command: 'sudo zypper install bubblewrap' },
    { os: 'ID=alpine', command: 'sudo apk add bubblewrap' },
    { os: '', command: 'sudo apt-get install bubblewrap' },
  ];
  for (const { os, command } of missing) {
    it(`names ${command} for ${JSON.stringify(os)}`, () => {
      const said = whyNot(null, { ...debian, osRelease: os });
      includes(said.reason, 'not on PATH');
      includes(said.next, command);
    });
  }

  it('names what forbids user namespaces, each with its own command', () => {
    const next = (facts: Partial<MachineFacts>): string => whyNot(failure, { ...debian, ...facts }).next;
    includes(next({ usersForbidden: true }), 'kernel.unprivileged_userns_clone=1');
    includes(next({ noUserNamespaces: true }), 'user.max_user_namespaces=15000');
    includes(next({ apparmor: true }), '/etc/apparmor.d/bwrap');
    includes(next({ container: true }), '--security-opt');
    includes(next({ kernel: '4.4.0-19041-Microsoft' }), 'wsl --set-version');
    includes(next({ kernel: '5.15.153.1-microsoft-standard-WSL2' }), 'by hand');
  });

  it('says of root what bubblewrap says: its user namespaces are not asked for', () => {
    const text = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted.\n";
    const said = whyNot({ ...failure, stderr: text }, { ...debian, root: true, usersForbidden: true, apparmor: true });
    includes(said.reason, "Can't mount proc on /newroot/proc: Operation not permitted.");
    assert.ok(!said.reason.includes('AppArmor'));
  });

  it('has words for a program that says nothing', () => {
    includes(whyNot(failure, debian).reason, 'it ended with 1');
    includes(whyNot({ ...failure, code: null }, debian).reason, 'it ended with a signal');
  });
});

function includes(text: string, part: string): void {
  assert.ok(text.includes(part), text);
}
