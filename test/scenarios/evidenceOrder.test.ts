import assert from 'node:assert/strict';
import { documentText, canonicalText } from '../../src/base/json';
import type * as z from 'zod';
import { executionHeaderSchema } from '../../src/contracts/record/header';
import { milestoneEvidenceSchema } from '../../src/contracts/milestoneEvidence';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import { headerDocument } from '../../src/engine/effects/write/writeDocuments';
import { executionHeader } from '../../src/core/mission/documents';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import { milestoneDocument } from '../../src/core/mission/milestones/document';
import { cases } from './cases';
import { played } from './played';

/** `evidence verify` knows a file with sorted keys by that: it writes the keys in the order of the contract. */
describe('the keys of evidence stand in the order of its contract', function () {
  this.timeout(300_000);

  for (const [file, scenarios] of cases())
    it(`in every scenario of ${file}`, () => {
      for (const scenario of scenarios) {
        const { mission } = played(scenario);
        const header = executionHeader(mission, { summary_sha256: null, at: mission.last_at });
        assertInOrder(executionHeaderSchema, headerDocument(header), scenario.title);
        for (const row of mission.rows) {
          const task = documentText(taskEvidence(mission, row, []));
          assertInOrder(taskEvidenceSchema, task, `${scenario.title}, ${row.task.task_id}`);
          const milestone = milestoneDocument(mission, row);
          if (milestone !== null) assertInOrder(milestoneEvidenceSchema, milestone, scenario.title);
        }
      }
    });
});

function assertInOrder(schema: z.ZodType, text: string, where: string): void {
  const sorted: unknown = JSON.parse(canonicalText(JSON.parse(text)));
  assert.equal(documentText(schema.parse(sorted)), text, where);
}
