import { codeOfCategory, type ContractCode, type StructuralCode } from '../../contracts/vocabulary/codes';
import type { AttemptFailure } from '../mission/facts';

/** The one code of a failure: what a validator said, or what its kind stands for. */
export function failureCode(failure: AttemptFailure): ContractCode | StructuralCode {
  return failure.kind === 'structural' ? failure.code : (failure.code ?? codeOfCategory[failure.category]);
}
