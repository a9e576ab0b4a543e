import {
  codeOfCategory,
  shownCodes,
  type ContractCode,
  type ShownCode,
  type StructuralCode,
} from '../../contracts/vocabulary/codes';
import type { AttemptFailure } from '../model/facts';
import { blockCode } from '../packets/blockCode';

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

/** A code as documents of the contract, which know 14 codes, carry it. */
export function codeForContract(code: string | null): string | null {
  const category = (Object.keys(shownCodes) as (keyof typeof shownCodes)[]).find((one) => shownCodes[one] === code);
  return category === undefined ? code : codeOfCategory[category];
}
