import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { carriedAs, codeOfCategory, shownCodes, type ContractCode } from '../../src/contracts/vocabulary/codes/codes';
import { contractSteps } from '../../src/contracts/vocabulary/codes/errorCodes';

type Steps = Readonly<Record<string, string>>;
const codeSteps = JSON.parse(readFileSync(path.resolve('scripts/reference/codeSteps.json'), 'utf8')) as Readonly<
  Record<'findings' | 'reasons' | 'ends', Steps>
>;

/** What a person does by the step of a code, in the words of our own steps for the codes that it stands for. */
const deed: Partial<Readonly<Record<ContractCode, RegExp>>> = {
  SCHEMA_INVALID: /^(?:Correct|Save|Split|Make|Remove|Rename|Write|Name)\b/,
  MISSING_REQUIRED_INPUT: /^(?:Check the path|Give|Name the file|Install or)\b/,
  UNKNOWN_SCHEMA_VERSION: /\bcontract\b/,
  MISSING_VALIDATOR: /^Report it/,
  NON_COMPLIANT: /^(?:Wait until|Find out|Choose|Look at|Report it)\b/,
};

describe('a code of ours in a document of the contract', () => {
  const steps: Steps = {
    ...codeSteps.findings,
    ...codeSteps.ends,
    ...Object.fromEntries(
      Object.entries(shownCodes).map(([category, code]) => [code, codeSteps.reasons[category] ?? '']),
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
