import assert from 'node:assert/strict';
import { findingMeanings } from '../../../src/contracts/vocabulary/codes/findings';
import { fileCodes, textCases } from '../../adapters/documents/textCases';
import { cases } from './cases';

describe('the closed list of finding codes', () => {
  it('holds no code that no case produces', () => {
    // FINDINGS_TRUNCATED: test/adapters/documents/planFiles.test.ts, "ends its list of findings".
    // KIND_UNKNOWN, CONTRACT_FOREIGN: test/cli/check.test.ts. APPROVAL_IN_FUTURE: test/core/plan/rules.test.ts.
    // SECRET_IN_APPROVAL: test/cli/secrets.test.ts. CHECK_FAILED: test/engine/plans/extremeDocuments.test.ts, "a judge that fails".
    // PROJECT_*, SECRET_IN_PROJECT: test/core/project/project.test.ts, test/engine/plans/projectFile.test.ts.
    // SCRATCH_NOT_IGNORED, SCRATCH_NOT_CHECKED: test/engine/plans/scratch.test.ts. PATH_BEHIND_LINK,
    // PATH_OF_ANOTHER_TASK, CONFINEMENT_TOO_COARSE, PLACE_IS_LINK: test/engine/plans/places.test.ts.
    // INSTRUCTIONS_*: test/engine/plans/instructions.test.ts.
    // MODEL_REFUSED, POLICY_INVALID, POLICY_WIDENED: test/adapters/documents/policyFiles.test.ts.
    // PROJECT_*: test/cli/check.test.ts and contextNew.test.ts.
    // CARRIED_NOT_CHECKED: test/cli/maintenance.test.ts. APPROVED_OTHERWISE, LOCKED_OTHERWISE:
    // test/cli/approvedBytes.test.ts.
    const produced = new Set<string>([
      'FINDINGS_TRUNCATED',
      'CHECK_FAILED',
      'KIND_UNKNOWN',
      'CONTRACT_FOREIGN',
      'APPROVAL_IN_FUTURE',
      'SECRET_IN_APPROVAL',
      'CONFINEMENT_TOO_COARSE',
      'PATH_BEHIND_LINK',
      'PLACE_IS_LINK',
      'PATH_OF_ANOTHER_TASK',
      'MODEL_REFUSED',
      'POLICY_INVALID',
      'POLICY_WIDENED',
      'PROJECT_FIELD_EMPTY',
      'PROJECT_FILE_INVALID',
      'PROJECT_FILE_MISSING',
      'PROJECT_LIST_EMPTY',
      'PROJECT_LOCK_EMPTY',
      'PROJECT_LOCK_WITHOUT_ADR',
      'SECRET_IN_PROJECT',
      'INSTRUCTIONS_MISSING',
      'INSTRUCTIONS_UNUSABLE',
      'SCRATCH_NOT_IGNORED',
      'SCRATCH_NOT_CHECKED',
      'APPROVED_OTHERWISE',
      'LOCKED_OTHERWISE',
      'CARRIED_NOT_CHECKED',
      ...fileCodes,
      ...cases.map(({ code }) => code),
      ...textCases.map(({ code }) => code),
    ]);
    assert.deepEqual([...produced].sort(), Object.keys(findingMeanings).sort());
  });
});
