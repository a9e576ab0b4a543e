import type { ValidateFunction } from 'ajv';
import type { DocumentName } from '../../contracts/schemas';

/**
 * The validators that are code of this program; scripts/build.mjs writes them here (scripts/built-validators.mjs). A
 * document that has none, as without that script, is validated by what ajv compiles on first use.
 */
export const builtValidators: { readonly [N in DocumentName]?: ValidateFunction } = {};
