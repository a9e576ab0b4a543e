import type { ValidateFunction } from 'ajv';
import type { DocumentName } from '../../contracts/schemas';

/**
 * Validators that are code of this program; scripts/build.mjs writes them here. Without them, ajv compiles each on
 * first use.
 */
export const builtValidators: { readonly [N in DocumentName]?: ValidateFunction } = {};
