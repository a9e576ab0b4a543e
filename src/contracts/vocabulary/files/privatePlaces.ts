/**
 * What a launch in the sandbox does not see of HOME. `secrets`: what a person signs in with elsewhere. `provider`: the
 * same, and an agent may sign in with its provider by it. `sockets`: where programs of the person listen.
 */
export interface PrivatePlace {
  /** A file or a folder below HOME; POSIX. */
  readonly below: string;
  readonly kind: 'secrets' | 'provider' | 'sockets';
  /** The programs that keep it. */
  readonly of: string;
  /** Programs listen in it as well. */
  readonly listens?: true;
}

/** Where browsers and mail programs keep passwords and sessions: below HOME, as a snap and as a flatpak. */
const keptByBrowsers: readonly (readonly [of: string, below: string, snap: string, flatpak: string])[] = [
  ['Firefox', '.mozilla', 'firefox', 'org.mozilla.firefox'],
  ['Thunderbird', '.thunderbird', 'thunderbird', 'org.mozilla.Thunderbird'],
  ['Chrome', '.config/google-chrome', 'chrome', 'com.google.Chrome'],
  ['Chromium', '.config/chromium', 'chromium', 'org.chromium.Chromium'],
  ['Brave', '.config/BraveSoftware', 'brave', 'com.brave.Browser'],
  ['Edge', '.config/microsoft-edge', 'microsoft-edge', 'com.microsoft.Edge'],
];

/**
 * Whole folders, because a name that is unknown at the look is hidden with them. No agent CLI's own folder is here,
 * because it signs in by that. No file with settings that tools need is here either, such as `.npmrc`.
 */
export const privatePlaces: readonly PrivatePlace[] = [
  { below: '.ssh', kind: 'secrets', of: 'OpenSSH', listens: true },
  { below: '.gnupg', kind: 'secrets', of: 'GnuPG', listens: true },
  { below: '.aws', kind: 'provider', of: 'AWS' },
  { below: '.config/gcloud', kind: 'provider', of: 'Google Cloud' },
  { below: '.azure', kind: 'provider', of: 'Azure' },
  { below: '.kube', kind: 'secrets', of: 'Kubernetes' },
  { below: '.docker/config.json', kind: 'secrets', of: 'Docker' },
  { below: '.config/containers/auth.json', kind: 'secrets', of: 'Podman' },
  { below: '.netrc', kind: 'secrets', of: 'curl, git and others' },
  { below: '.git-credentials', kind: 'secrets', of: 'git' },
  { below: '.config/git/credentials', kind: 'secrets', of: 'git' },
  { below: '.config/gh', kind: 'secrets', of: 'GitHub' },
  { below: '.config/glab-cli', kind: 'secrets', of: 'GitLab' },
  { below: '.pypirc', kind: 'secrets', of: 'Python uploads' },
  { below: '.cargo/credentials.toml', kind: 'secrets', of: 'cargo' },
  { below: '.cargo/credentials', kind: 'secrets', of: 'cargo' },
  { below: '.gem/credentials', kind: 'secrets', of: 'RubyGems' },
  { below: '.config/hub', kind: 'secrets', of: 'GitHub' },
  { below: '.config/doctl', kind: 'secrets', of: 'DigitalOcean' },
  { below: '.config/hcloud', kind: 'secrets', of: 'Hetzner' },
  { below: '.oci', kind: 'secrets', of: 'Oracle' },
  { below: '.terraform.d/credentials.tfrc.json', kind: 'secrets', of: 'Terraform' },
  { below: '.config/sops', kind: 'secrets', of: 'SOPS' },
  { below: '.config/age', kind: 'secrets', of: 'age' },
  { below: '.vault-token', kind: 'secrets', of: 'Vault' },
  { below: '.config/rclone', kind: 'secrets', of: 'rclone' },
  { below: '.pgpass', kind: 'secrets', of: 'PostgreSQL' },
  { below: '.password-store', kind: 'secrets', of: 'pass' },
  { below: '.config/op', kind: 'secrets', of: '1Password' },
  { below: '.local/share/keyrings', kind: 'secrets', of: 'GNOME' },
  { below: '.local/share/kwalletd', kind: 'secrets', of: 'KDE' },
  ...keptByBrowsers.flatMap(([of, below, snap, flatpak]) =>
    [below, `snap/${snap}`, `.var/app/${flatpak}`].map((at) => ({ below: at, kind: 'secrets' as const, of })),
  ),
  { below: '.1password', kind: 'sockets', of: '1Password' },
  { below: '.docker/run', kind: 'sockets', of: 'Docker Desktop' },
  { below: '.docker/desktop', kind: 'sockets', of: 'Docker Desktop' },
  { below: '.colima', kind: 'sockets', of: 'Colima' },
  { below: '.orbstack/run', kind: 'sockets', of: 'OrbStack' },
  { below: '.local/share/containers/podman/machine', kind: 'sockets', of: 'Podman' },
  { below: '.emacs.d/server', kind: 'sockets', of: 'Emacs' },
];

/** Which places of secrets a launch sees: none, those of a provider, or all. */
export type SecretsSeen = 'none' | 'provider' | 'all';
