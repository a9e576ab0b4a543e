import type { PostgresPrograms } from '../postgres.mjs';

/** `packages` loads an engine by the name of its package. */
export function fleetTools(root: string): Promise<
  | {
      readonly postgres: PostgresPrograms;
      readonly packages: (name: string) => unknown;
      readonly missing?: never;
    }
  | { readonly missing: string; readonly postgres?: never; readonly packages?: never }
>;
