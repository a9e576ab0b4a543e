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
  { below: '.vault-token', kind: 'secrets', of: 'Vault' },
  { below: '.config/rclone', kind: 'secrets', of: 'rclone' },
  { below: '.pgpass', kind: 'secrets', of: 'PostgreSQL' },
  { below: '.password-store', kind: 'secrets', of: 'pass' },
  { below: '.config/op', kind: 'secrets', of: '1Password' },
  { below: '.local/share/keyrings', kind: 'secrets', of: 'GNOME' },
  { below: '.local/share/kwalletd', kind: 'secrets', of: 'KDE' },
  { below: '.mozilla', kind: 'secrets', of: 'Firefox' },
  { below: '.config/google-chrome', kind: 'secrets', of: 'Chrome' },
  { below: '.config/chromium', kind: 'secrets', of: 'Chromium' },
  { below: '.config/BraveSoftware', kind: 'secrets', of: 'Brave' },
  { below: '.config/microsoft-edge', kind: 'secrets', of: 'Edge' },
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
