import type { ValidateFunction } from 'ajv';
import type { DocumentName } from '../../contracts/schemas';

/** Validators that scripts/build.mjs writes here as code. Without them, ajv compiles each on first use. */
export const builtValidators: { readonly [N in DocumentName]?: ValidateFunction } = {};
