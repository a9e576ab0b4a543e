import assert from 'node:assert/strict';
import { carriedAs, codeOfCategory, shownCodes, type ContractCode } from '../../src/contracts/vocabulary/codes/codes';
import { contractSteps } from '../../src/contracts/vocabulary/codes/errorCodes';
import { findingSteps } from '../../src/contracts/vocabulary/codes/findingSteps';
import { endSteps, reasonSteps } from '../../src/contracts/vocabulary/codes/stops';

/** What a person does by the step of a code, in the words of our own steps for the codes that it stands for. */
const deed: Partial<Readonly<Record<ContractCode, RegExp>>> = {
  SCHEMA_INVALID: /^(?:Correct|Save|Split|Make|Remove|Rename|Write|Name)\b/,
  MISSING_REQUIRED_INPUT: /^(?:Check the path|Give|Name the file|Install or)\b/,
  UNKNOWN_SCHEMA_VERSION: /\bcontract\b/,
  MISSING_VALIDATOR: /^Report it/,
  NON_COMPLIANT: /^(?:Wait until|Find out|Choose|Look at|Report it)\b/,
};

describe('a code of ours in a document of the contract', () => {
  const steps: Readonly<Record<string, string>> = {
    ...findingSteps,
    ...endSteps,
    ...Object.fromEntries(
      Object.entries(shownCodes).map(([category, code]) => [code, reasonSteps[category as keyof typeof shownCodes]]),
    ),
  };
  for (const [code, carried] of Object.entries(carriedAs))
    it(`${code} is carried as ${carried}, which asks for the same`, () => {
      const step = steps[code] ?? assert.fail(`${code} has no step`);
      assert.match(step, deed[carried] ?? assert.fail(carried), contractSteps[carried]);
    });

  it('of a limit of a provider is left to a decision, because no task has to be done before', () =>
    assert.equal(codeOfCategory.rate_limited, 'NON_COMPLIANT'));
});
