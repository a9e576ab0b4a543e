import type { ValidateFunction } from 'ajv';
import type { DocumentName } from '../../contracts/schemas';

/**
 * Validators that are code of this program; scripts/build.mjs writes them here (scripts/built-validators.mjs). Without
 * them, ajv compiles the validator of a document on first use.
 */
export const builtValidators: { readonly [N in DocumentName]?: ValidateFunction } = {};
