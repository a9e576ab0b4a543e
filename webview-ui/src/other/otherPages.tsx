import type { JSX } from 'preact';
import type {
  FoundHere,
  ShownDraft,
  ShownEvidence,
  PanelEntry,
  PanelGroup,
} from '../../../src/contracts/page/panelView';
import { walkthroughSteps, type WalkthroughStep } from '../../../src/contracts/page/panelMessages';
import { inBrowser, post } from '../shell/host';
import { AskButton, Code, CodeWord, OpenLink, Text, Texts, Dotted, shown } from '../shell/text';
import { menuSections, type MenuSection } from '../../../src/contracts/page/menuKeys';
import { menuContext } from '../shell/menus';

interface Card {
  readonly mark: string;
  readonly title: string;
  readonly text: string;
  /** The same as a command line, for people without VS Code. */
  readonly line: string;
}

const cards: Readonly<Record<WalkthroughStep, Card>> = {
  check: {
    mark: '✓',
    title: 'Check this machine',
    text: 'Doctor looks for agents, for git and for what confines a task, and says what to do where one is missing.',
    line: 'mission doctor',
  },
  sample: {
    mark: '▷',
    title: 'Run a sample',
    text: 'Two small commands, without an agent and without an account: you approve and watch them.',
    line: 'mission plan new ID --from sample',
  },
  plan: {
    mark: '✎',
    title: 'Write a plan',
    text: 'Say a goal and an agent drafts it, or write docs/plans/PLAN_name.json, checked while you type.',
    line: 'mission plan new ID',
  },
  approve: {
    mark: '#',
    title: 'Approve its exact bytes',
    text: 'You see every command line and path before; the approval is bound to the hash.',
    line: 'mission plan approve FILE --by NAME',
  },
  run: {
    mark: '▶',
    title: 'Run it and watch',
    text: 'Each worker has a terminal; closing the window leaves it running.',
    line: 'mission run PLAN',
  },
};

export function EmptyPage({ found }: { readonly found: FoundHere | null }): JSX.Element {
  return (
    <section class="empty" data-section="empty">
      <h1>No missions yet</h1>
      <p class="dim">A mission is an approved plan that agents carry out, task by task, with evidence.</p>
      {walkthroughSteps.map((step) => (
        <StepCard key={step} step={step} />
      ))}
      <Text as="p" class="dim" of={found?.text} />
    </section>
  );
}

/** Opens its step of the walkthrough; a browser has no walkthrough, so it shows what to type. */
function StepCard({ step }: { readonly step: WalkthroughStep }): JSX.Element {
  const { mark, title, text, line } = cards[step];
  const content = (
    <>
      <span aria-hidden="true">{mark}</span>
      <span>
        <b>{title}</b>
        <br />
        <span class="dim">{text}</span>
        {inBrowser() ? (
          <>
            <br />
            <Code of={line} />
          </>
        ) : null}
      </span>
    </>
  );
  if (inBrowser())
    return (
      <div class="step" data-step={step}>
        {content}
      </div>
    );
  return (
    <button type="button" class="step" data-step={step} onClick={() => post({ type: 'walkthrough', step })}>
      {content}
    </button>
  );
}

export function DraftPage({ draft }: { readonly draft: ShownDraft }): JSX.Element {
  const errors = draft.findings.filter(({ severity }) => severity === 'error').length;
  const isApproved = draft.status === 'APPROVED';
  return (
    <section data-section="draft">
      <h1>
        <Text of={draft.plan_id} /> <Text as="span" class="pill planned" of={draft.status} />
      </h1>
      <Text as="p" of={draft.goal} />
      <p>
        {errors > 0
          ? `${errors} ${errors === 1 ? 'finding has' : 'findings have'} to be mended before it can be approved.`
          : `Nothing has run yet. ${isApproved ? '' : 'Approve Plan binds an approval to its exact bytes; '}Run Plan starts it.`}{' '}
        <OpenLink target={{ kind: 'plan' }}>Open the plan</OpenLink>
      </p>
      {errors > 0 ? null : (
        <AskButton command={isApproved ? 'runPlan' : 'approvePlan'}>
          {isApproved ? 'Run Plan…' : 'Approve Plan…'}
        </AskButton>
      )}
      {draft.findings.length === 0 ? null : (
        <ul class="plainList">
          {draft.findings.map(({ code, message, severity }) => (
            <li key={`${code} ${message}`} class={severity === 'error' ? 'bad' : ''}>
              <CodeWord of={code} /> <Text of={message} />
            </li>
          ))}
        </ul>
      )}
      <TaskLines of={draft.tasks} />
    </section>
  );
}

function TaskLines({ of }: { readonly of: ShownDraft['tasks'] }): JSX.Element {
  return (
    <>
      <h2>Tasks</h2>
      <ul class="plainList">
        {of.map(({ task_id, description, worker }) => (
          <li key={task_id}>
            <Text as="b" of={task_id} /> <Text of={description} /> <Text as="span" class="dim" of={worker} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows evidence in the repository of a mission that ran on another machine. */
export function EvidencePage({ evidence }: { readonly evidence: ShownEvidence }): JSX.Element {
  return (
    <section data-section="evidence">
      <h1>
        <Text of={evidence.plan_id} /> <span class="pill planned">evidence only</span>
      </h1>
      <ul class="plainList">
        <Texts as="li" of={[...evidence.says, ...evidence.decisions, ...evidence.next]} />
      </ul>
      <Texts as="p" class={evidence.verified.standing} of={[evidence.verified.text, ...evidence.verified.findings]} />
      <p>
        <OpenLink target={{ kind: 'evidence' }}>Open the evidence</OpenLink>
      </p>
      <TaskLines of={evidence.tasks} />
    </section>
  );
}

export function UnreadablePage({ title, reason }: { readonly title: string; readonly reason: string }): JSX.Element {
  return (
    <section data-section="unreadable">
      <h1>
        <Text of={title} /> <span class="pill blocked">can not be read</span>
      </h1>
      <Text as="p" role="status" of={reason} />
      <p>Nothing of it was changed. Mission Control: Doctor says what this machine has and what is wrong.</p>
    </section>
  );
}

const looks: Readonly<Record<PanelGroup, readonly [mark: string, tone: string, title: string]>> = {
  needs_you: ['!', 'bad', 'Needs you'],
  running: ['▶', 'live', 'Running'],
  paused: ['‖', 'warn', 'Paused'],
  planned: ['○', 'dim', 'Planned'],
  drafts: ['✎', 'dim', 'Plans'],
  finished: ['✓', 'good', 'Finished'],
  evidence_only: ['◌', 'dim', 'Evidence only'],
  unreadable: ['✕', 'bad', 'Unreadable'],
};

/** Lists every mission as a line of its group; the chosen one is shown beside the list. */
export function MissionList({
  entries,
  shownId,
  select,
}: {
  readonly entries: readonly PanelEntry[];
  readonly shownId: string | null;
  readonly select: (entry: string) => void;
}): JSX.Element {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <nav class="missions" aria-label="Missions">
      {groups.map((group) => (
        <div key={group} data-group={group}>
          <h2>{looks[group][2]}</h2>
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Line key={entry.id} entry={entry} current={entry.id === shownId} select={select} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function sectionOf(group: PanelGroup): MenuSection {
  if (group === 'drafts') return menuSections.draft;
  if (group === 'evidence_only') return menuSections.evidence;
  return group === 'unreadable' ? menuSections.unreadable : menuSections.mission;
}

function Line({
  entry,
  current,
  select,
}: {
  readonly entry: PanelEntry;
  readonly current: boolean;
  readonly select: (entry: string) => void;
}): JSX.Element {
  const ended = entry.group === 'finished' && entry.word !== 'completed';
  const asks = entry.group === 'needs_you' && entry.word === 'asks you';
  const [mark, tone] = ended ? ['–', 'dim'] : asks ? ['?', 'warn'] : looks[entry.group];
  return (
    <li>
      <button
        type="button"
        class="entry"
        data-entry={entry.id}
        aria-current={current ? 'true' : undefined}
        data-vscode-context={menuContext(sectionOf(entry.group), entry.id, null)}
        title={shown(`${entry.title}: ${entry.note}`)}
        onClick={() => select(entry.id)}
      >
        <span class={tone} aria-hidden="true">
          {mark}
        </span>
        <Text as="span" class="title" title={shown(entry.title)} of={entry.title} />
        <span class="dim">{entry.progress === null ? '' : `${entry.progress.done}/${entry.progress.total}`}</span>
        <small>
          <Dotted of={[entry.workspace !== null && <Text of={entry.workspace} />, <Text of={entry.note} />]} />
        </small>
      </button>
    </li>
  );
}
