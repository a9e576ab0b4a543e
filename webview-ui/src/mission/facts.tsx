import type { JSX } from 'preact';
import { auditWords, countedTokens } from '../../../src/base/text/words';
import { copiedThings, type CopiedThing } from '../../../src/contracts/page/panelMessages';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Fold } from '../shell/fold';
import { post } from '../shell/host';
import { usePage } from '../shell/pageState';
import { Text } from '../shell/text';
import { wholeFact } from './trust';

const copyNames: Readonly<Record<CopiedThing, string>> = {
  mission_id: 'mission id',
  plan_sha256: 'plan hash',
  status: 'status',
  next: 'next steps',
};

/** Shows facts that people rarely look up. */
export function Facts({ mission: { view, trust } }: { readonly mission: ShownMission }): JSX.Element {
  const { entry } = usePage();
  const { approval, usage } = view;
  const used = usage.input_tokens ?? usage.output_tokens ?? usage.cost_usd;
  const facts: readonly (readonly [string, string])[] = [
    ['Mission', view.mission_id],
    ['Plan', `${view.plan_path}, SHA-256 ${view.plan_sha256}`],
    [
      'Approved',
      `${approval.here ? `${approval.elsewhere ? 'elsewhere, as this journal says,' : 'here'} by ${approval.here.by}; ` : ''}the file says ${approval.by ?? 'no name'}`,
    ],
    ['Workers', wholeFact(trust.confinement)],
    ['Evidence', `${view.evidence_dir}: ${wholeFact(trust.evidence)}`],
    ...(used === null ? [] : [['Used', countedTokens(usage)] as const]),
    ...(view.audit ? [['Audit log', auditWords(view.audit)] as const] : []),
    ...(view.orchestrator ? [['Orchestrator', view.orchestrator.worker] as const] : []),
  ];
  return (
    <section data-section="facts" class="part" aria-label="Facts">
      <Fold name="facts" title="Plan, approval and evidence in full">
        {() => (
          <>
            <dl class="facts">
              {facts.map(([name, value]) => (
                <>
                  <dt>{name}</dt>
                  <dd>
                    <Text of={value} />
                  </dd>
                </>
              ))}
            </dl>
            <p>
              {copiedThings.map((what, index) => (
                <>
                  {index === 0 ? '' : ' · '}
                  <button
                    type="button"
                    class="link"
                    data-copy={what}
                    onClick={() => post({ type: 'copy', entry, what })}
                  >
                    Copy {copyNames[what]}
                  </button>
                </>
              ))}
            </p>
          </>
        )}
      </Fold>
    </section>
  );
}
