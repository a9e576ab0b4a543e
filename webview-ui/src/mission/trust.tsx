import type { JSX } from 'preact';
import type { OpenTarget } from '../../../src/contracts/page/panelMessages';
import type { EvidenceVerdict, TrustFact, TrustLine } from '../../../src/contracts/page/panelView';
import { OpenLink, Text, shown } from '../shell/text';
import { momentText } from '../shell/time';

/**
 * Shows facts that only Mission Control knows: who approved which bytes, what confined the workers, whether the
 * evidence verifies.
 */
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
      <Broken evidence={evidence} />
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

/**
 * Returns the whole fact. The line shows one part of it only if it has room, and another part
 * never.
 */
export function wholeFact({ text, whole = text, at }: TrustFact): string {
  const all = whole.startsWith(text) ? whole : `${text}; ${whole}`;
  return `${all}${at === undefined ? '' : `, ${momentText(at)}`}`;
}

/** Shows what is wrong with the evidence. */
function Broken({ evidence }: { readonly evidence: EvidenceVerdict }): JSX.Element | null {
  if (evidence.findings.length === 0) return null;
  return (
    <ul class="findings">
      {evidence.findings.map((finding) => (
        <li key={finding}>
          <Text of={finding} />
        </li>
      ))}
    </ul>
  );
}
