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

export function postgresForTests(
  root: string,
): (PostgresPrograms & { readonly missing?: never }) | { readonly missing: string; readonly programs?: never };
export function startPostgres(root: string, found: PostgresPrograms): Promise<PostgresServer>;
