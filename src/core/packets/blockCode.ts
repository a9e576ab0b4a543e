import {
  codeOfCategory,
  shownCodes,
  type ContractCode,
  type ReasonCategory,
  type ShownCode,
} from '../../contracts/vocabulary/codes/codes';

const shown: { readonly [C in ReasonCategory]?: ShownCode } = shownCodes;

/** The one code that status, packet and panel show for a block. `own`: the code of a validator. */
export function blockCode(category: ReasonCategory, own?: ContractCode): ContractCode | ShownCode {
  return shown[category] ?? own ?? codeOfCategory[category];
}
