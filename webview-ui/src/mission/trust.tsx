import type { JSX } from 'preact';
import { copiedThings, type CopiedThing } from '../../../src/contracts/page/panelMessages';
import type { OpenTarget } from '../../../src/contracts/page/pageMessage';
import type { TrustFact, TrustLine, ShownMission } from '../../../src/contracts/page/panelView';
import { Dotted, FactList, OpenLink, Text, Texts, shown, Fold, momentText } from '../shell/text';
import { auditWords, countedTokens } from '../../../src/base/text/words';
import { post, usePage } from '../shell/host';

export function Trust({ trust }: { readonly trust: TrustLine }): JSX.Element {
  const { evidence } = trust;
  return (
    <section data-section="trust" aria-label="What can be trusted">
      <ul class="trust">
        <Fact of={trust.approved} />
        <Fact of={trust.plan} opens={{ kind: 'plan' }} />
        <Fact of={trust.confinement} />
        <Fact of={evidence} {...(evidence.dir !== null && { opens: { kind: 'evidence' } as const })} />
      </ul>
      {evidence.findings.length === 0 ? null : (
        <ul class="findings">
          <Texts as="li" of={evidence.findings} />
        </ul>
      )}
    </section>
  );
}

const marks = { good: '✓', plain: '·', bad: '✕', unknown: '?' } as const;

function Fact({ of, opens }: { readonly of: TrustFact; readonly opens?: OpenTarget }): JSX.Element {
  const line = (
    <>
      <Text of={of.text} />
      {of.at === undefined ? null : `, ${momentText(of.at)}`}
    </>
  );
  return (
    <li class={of.standing} data-standing={of.standing}>
      <span aria-hidden="true">{marks[of.standing]} </span>
      {opens === undefined ? (
        <span title={shown(wholeFact(of))}>{line}</span>
      ) : (
        <OpenLink target={opens} title={wholeFact(of)}>
          {line}
        </OpenLink>
      )}
    </li>
  );
}

/** The line shows one part of it only if it has room, and another part never. */
function wholeFact({ text, whole = text, at }: TrustFact): string {
  const all = whole.startsWith(text) ? whole : `${text}; ${whole}`;
  return `${all}${at === undefined ? '' : `, ${momentText(at)}`}`;
}

const copyNames: Readonly<Record<CopiedThing, string>> = {
  mission_id: 'mission id',
  plan_sha256: 'plan hash',
  status: 'status',
  next: 'next steps',
};

export function Facts({ mission: { view, trust } }: { readonly mission: ShownMission }): JSX.Element {
  const { entry } = usePage();
  const { approval, usage } = view;
  const used = usage.input_tokens ?? usage.output_tokens ?? usage.cost_usd;
  const facts = [
    ['Mission', view.mission_id],
    ['Plan', `${view.plan_path}, SHA-256 ${view.plan_sha256}`],
    [
      'Approved',
      `${approval.here ? `${approval.elsewhere ? 'elsewhere, as this journal says,' : 'here'} by ${approval.here.by}; ` : ''}the file says ${approval.by ?? 'no name'}`,
    ],
    ['Workers', wholeFact(trust.confinement)],
    ['Evidence', `${view.evidence_dir}: ${wholeFact(trust.evidence)}`],
    ['Used', used === null ? null : countedTokens(usage)],
    ['Audit log', view.audit && auditWords(view.audit)],
    ['Orchestrator', view.orchestrator?.worker],
  ] as const;
  return (
    <section data-section="facts" class="part" aria-label="Facts">
      <Fold name="facts" title="Plan, approval and evidence in full">
        {() => (
          <>
            <FactList of={facts} />
            <p>
              <Dotted
                of={copiedThings.map((what) => (
                  <button
                    type="button"
                    class="link"
                    data-copy={what}
                    onClick={() => post({ type: 'copy', entry, what })}
                  >
                    Copy {copyNames[what]}
                  </button>
                ))}
              />
            </p>
          </>
        )}
      </Fold>
    </section>
  );
}
