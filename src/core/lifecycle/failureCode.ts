import { codeOfCategory, launchFailed, type ContractCode, type StructuralCode } from '../../contracts/vocabulary/codes';
import type { AttemptFailure } from '../model/facts';

/** The one code of a failure: what a validator said, or what its kind stands for; null when nothing speaks against it. */
export function failureCode(failure: AttemptFailure): ContractCode | StructuralCode | typeof launchFailed | null {
  switch (failure.kind) {
    case 'structural':
      return failure.code;
    case 'abandoned':
      return null;
    case 'recoverable':
      if (failure.category === 'launch_failed') return launchFailed;
      return failure.code ?? codeOfCategory[failure.category];
  }
}

/** The same in a document of the contract, which knows 14 codes. */
export function codeForContract(code: string | null): string | null {
  return code === launchFailed ? codeOfCategory.launch_failed : code;
}
