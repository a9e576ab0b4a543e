import { codeOfCategory, type ContractCode, type StructuralCode } from '../../contracts/vocabulary/codes';
import type { AttemptFailure } from '../mission/facts';

/** The one code of a failure: what a validator said, or what its kind stands for; null when nothing speaks against it. */
export function failureCode(failure: AttemptFailure): ContractCode | StructuralCode | null {
  switch (failure.kind) {
    case 'structural':
      return failure.code;
    case 'abandoned':
      return null;
    case 'recoverable':
      return failure.code ?? codeOfCategory[failure.category];
  }
}
