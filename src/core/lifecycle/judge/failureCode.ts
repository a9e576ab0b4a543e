import type { ContractCode, ShownCode, StructuralCode } from '../../../contracts/vocabulary/codes/codes';
import type { AttemptFailure } from '../../model/facts';
import { blockCode } from '../../packets/blockCode';

/** The code of a failure: a validator's, or the one of its kind; null when another lane's failure ended the attempt. */
export function failureCode(failure: AttemptFailure): ContractCode | StructuralCode | ShownCode | null {
  switch (failure.kind) {
    case 'structural':
      return failure.code;
    case 'abandoned':
      return null;
    case 'recoverable':
      return blockCode(failure.category, failure.code);
  }
}
