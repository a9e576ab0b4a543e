export interface PostgresPrograms {
  /** The folder of `postgres`. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface PostgresServer {
  readonly socket: string;
  readonly password: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Where a server also listens, encrypted. */
export interface PostgresReached {
  readonly address: string;
  /** Addresses that may connect, as 198.18.1.0/24. */
  readonly network: string;
  /** Files. */
  readonly certificate: string;
  readonly key: string;
}

export function postgresForTests(
  root: string,
): (PostgresPrograms & { readonly missing?: never }) | { readonly missing: string; readonly programs?: never };
export function startPostgres(
  root: string,
  found: PostgresPrograms,
  reached?: PostgresReached | null,
): Promise<PostgresServer>;
