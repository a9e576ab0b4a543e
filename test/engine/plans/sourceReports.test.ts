import assert from 'node:assert/strict';
import { checkShape } from '../../../src/adapters/documents/schemas';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { checkDocument } from '../../../src/engine/plans/documentCheck';
import { recognise } from '../../../src/engine/plans/recognise';
import { documentedHandoff, documentedScrutiny, documentedUserTest } from '../../contracts/sourceSamples';

type Kind = 'worker-handoff' | 'validation-report';

/** The pointers of the errors. */
function errors(kind: Kind, document: unknown): readonly string[] {
  const text = parseJsonText(Buffer.from(JSON.stringify(document)));
  const { findings } = checkDocument(kind, text, checkShape);
  return findings.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer);
}

describe('reports of the source project of seed 000', () => {
  const [passing] = documentedScrutiny.assertions;
  const accepted = { status: 'pass', assertions: [passing], defects: [], recommendation: 'accept' };
  const scrutinyPass = { ...documentedScrutiny, ...accepted };

  it('its documented samples are accepted, with fields of others, and known by their fields', () => {
    for (const [kind, document] of [
      ['worker-handoff', documentedHandoff],
      [
        'worker-handoff',
        { ...documentedHandoff, status: 'blocked', commit: '', leftUndone: ['rest'], implemented: [] },
      ],
      ['validation-report', documentedScrutiny],
      ['validation-report', scrutinyPass],
      ['validation-report', documentedUserTest],
    ] as const) {
      assert.deepEqual(errors(kind, { ...document, whatever: 1 }), [], JSON.stringify(document));
      assert.deepEqual(recognise(document), { kind });
    }
  });

  const compliance = documentedHandoff.procedureCompliance;
  const open = { defects: documentedScrutiny.defects };
  const refused: readonly (readonly [string, Kind, object, string])[] = [
    ['complete without a commit', 'worker-handoff', { commit: 'unknown' }, '/commit'],
    ['complete with an empty commit', 'worker-handoff', { commit: '' }, '/commit'],
    ['complete and something left undone', 'worker-handoff', { leftUndone: ['tests'] }, '/leftUndone'],
    ['complete and nothing done', 'worker-handoff', { implemented: [], filesChanged: [] }, '/implemented'],
    ...Object.keys(compliance).map((name): readonly [string, Kind, object, string] => [
      `complete without ${name}`,
      'worker-handoff',
      { procedureCompliance: { ...compliance, [name]: false } },
      `/procedureCompliance/${name}`,
    ]),
    ['an unknown status', 'worker-handoff', { status: 'done' }, '/status'],
    ['a blank summary', 'worker-handoff', { summary: ' ' }, '/summary'],
    ['a pass with a critical defect', 'validation-report', open, '/defects/0/severity'],
    [
      'a pass with an inconclusive assertion',
      'validation-report',
      { assertions: [{ assertionId: 'A2', status: 'inconclusive', evidence: 'none' }] },
      '/assertions/0/status',
    ],
    [
      'an assertion that passes without evidence',
      'validation-report',
      { assertions: [{ ...passing, evidence: ' ' }] },
      '/assertions/0/evidence',
    ],
    ['an assertion twice', 'validation-report', { assertions: [passing, passing] }, '/assertions/1/assertionId'],
    ['a pass that is to be fixed', 'validation-report', { recommendation: 'fix' }, '/recommendation'],
    ['a fail that is accepted', 'validation-report', { status: 'fail', ...open }, '/recommendation'],
    [
      'a fail of nothing',
      'validation-report',
      { status: 'fail', procedureFindings: [], recommendation: 'fix' },
      '/status',
    ],
  ];
  for (const [what, kind, change, pointer] of refused)
    it(`${kind}: ${what} is refused`, () => {
      const sound = kind === 'worker-handoff' ? documentedHandoff : scrutinyPass;
      assert.deepEqual(errors(kind, { ...sound, ...change }), [pointer]);
    });

  it('a user test that shows nothing does not pass', () => {
    assert.deepEqual(errors('validation-report', { ...documentedUserTest, commandsRun: [] }), ['/status']);
    const failed = [{ command: 'npx playwright test', exitCode: 1 }];
    assert.deepEqual(errors('validation-report', { ...documentedUserTest, commandsRun: failed }), ['/status']);
  });
});
