import { markup, sentence, type Markup } from '../../base/text/marked/markup';
import type { DoctorCheck } from '../../engine/ports/doctor';
import { commands } from '../registry/registry';
import { commandButton } from './document';
import { ui, type UiText } from '../../base/text/marked/ui';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { agentSettingName, settings, type SettingName } from '../registry/settingEntries';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The page, and the meaning of its buttons: a button's argument is its name in `remedies`. */
export interface DoctorPage {
  readonly body: Markup;
  readonly remedies: ReadonlyMap<string, DoctorRemedy>;
}

/** Shows the checks of `mission doctor` for each folder of the window, with remedies beside the failed ones. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[], window: DoctorWindow): DoctorPage {
  const remedies = new Map<string, DoctorRemedy>();
  const item = (section: string, check: DoctorCheck): readonly Markup[] => {
    const named = doctorRemedies(check, window).map(
      (remedy) => [nameOfRemedy(section, check, remedy), remedy] as const,
    );
    for (const [name, remedy] of named) remedies.set(name, remedy);
    return checkItem(check, named);
  };
  const checks = sections.flatMap((section) => section.checks);
  const body = markup.lines([
    markup`<main>`,
    markup`<h1>Doctor</h1>`,
    verdict(checks, window),
    markup`<p class="dim">Mission Control ${toolVersion}</p>`,
    ...sections.flatMap((section) => [
      markup`<section><h2>${section.title}</h2><ul class="checks">`,
      ...section.checks.flatMap((check) => item(section.title, check)),
      markup`</ul></section>`,
    ]),
    markup`</main>`,
  ]);
  return { body, remedies };
}

function verdict(checks: readonly DoctorCheck[], { trusted }: DoctorWindow): Markup {
  const broken = checks.filter(({ ok, required }) => required && !ok);
  if (broken.length > 0)
    return markup`<p class="bad">Something that is required is not in order: ${broken.map(({ id }) => id).join(', ')}.</p>`;
  const absent = checks.flatMap(({ id, ok }) => (ok ? [] : [id])).join(', ');
  return trusted
    ? markup`<p class="good">Everything that is required is in order${absent && `; not there: ${absent}`}.</p>`
    : markup`<p class="warn">Nothing starts here before you trust this folder.</p>`;
}

/** Names a button by what it repairs, because the page may have been drawn anew meanwhile, with other checks. */
function nameOfRemedy(section: string, { id, detail }: DoctorCheck, { title }: DoctorRemedy): string {
  return JSON.stringify([section, id, detail, title.toString()]);
}

/** The marks of checks that find something else than an absence. */
const lackOf: Readonly<Record<string, string>> = { trust: 'not trusted', supervisor: 'not tried' };

function checkItem(check: DoctorCheck, remedies: readonly (readonly [string, DoctorRemedy])[]): readonly Markup[] {
  const { id, ok, required, detail, fix } = check;
  const [look, mark] = ok ? ['good', 'ok'] : required ? ['bad', 'FAIL'] : ['warn', lackOf[id] ?? 'not there'];
  const buttons = remedies.map(([argument, { title }]) =>
    commandButton(title, { command: commands.doctorRemedy.id, argument, look: 'other' }),
  );
  return [
    markup`<li><span class="${look}">${mark}</span> <code>${id}</code> <span>${detail}</span>`,
    ...(ok || fix === '' ? [] : [markup`<span class="fix">${sentence(fix)}</span>`]),
    ...(buttons.length === 0 ? [] : [markup`<span class="buttons">${markup.join(buttons, ' ')}</span>`]),
    markup`</li>`,
  ];
}

/** The action of a button beside a check. It holds nothing that the check found, because that may be hostile. */
export type DoctorRemedy =
  | { readonly kind: 'setting'; readonly title: UiText; readonly id: string }
  /** The line is written into a terminal, where the person presses Enter. */
  | { readonly kind: 'terminal'; readonly title: UiText; readonly line: string }
  | { readonly kind: 'trust'; readonly title: UiText }
  /** Asks before it does anything. */
  | {
      readonly kind: 'repair';
      readonly title: UiText;
      readonly check: Pick<DoctorCheck, 'id' | 'detail'>;
      readonly repair: NonNullable<DoctorCheck['repair']>;
    };

export interface DoctorWindow {
  readonly trusted: boolean;
  readonly defaultWorker: AgentName;
}

/** Prepares none that starts a program in an untrusted window. */
export function doctorRemedies(check: DoctorCheck, window: DoctorWindow): readonly DoctorRemedy[] {
  const { id, ok, repair } = check;
  const { trusted } = window;
  const agent = agentNames.find((name) => name === id);
  if (agent) return agentRemedies(agent, check, window);
  if (ok) return [];
  if (!trusted && (id === 'trust' || id === 'supervisor'))
    return [{ kind: 'trust', title: ui`Manage Workspace Trust` }];
  const sandboxed = agentNames.find((name) => id === `sandbox-${name}`);
  return [
    ...(repair && trusted ? [{ kind: 'repair', title: ui`Repair…`, check, repair } as const] : []),
    ...(id === 'sandbox' ? [setting('confinement')] : []),
    ...(sandboxed ? [setting(agentSettingName(sandboxed, 'path')), setting('confinement')] : []),
    ...(sandboxed && trusted
      ? [terminal(`Try ${agentWorkers[sandboxed].title}`, `${agentWorkers[sandboxed].executable} --version`)]
      : []),
    ...(id === 'git' && trusted ? [terminal('Look for git', 'git --version')] : []),
  ];
}

function agentRemedies(
  agent: AgentName,
  { ok, detail }: DoctorCheck,
  { trusted, defaultWorker }: DoctorWindow,
): readonly DoctorRemedy[] {
  const { title, terminal: lines } = agentWorkers[agent];
  if (ok) return trusted ? [terminal(`Sign in to ${title}`, lines.signIn)] : [];
  // A refusal of extra arguments begins with its code.
  if (/^[A-Z_]+: /.test(detail)) return [setting(agentSettingName(agent, 'args'))];
  return [
    ...(trusted ? [terminal(`Install ${title}`, lines.install)] : []),
    setting(agentSettingName(agent, 'path')),
    ...(agent === defaultWorker ? [setting('defaultWorker')] : []),
  ];
}

function setting(name: SettingName): DoctorRemedy {
  const { id } = settings[name];
  return { kind: 'setting', title: ui`Open Setting ${id}`, id };
}

function terminal(title: string, line: string): DoctorRemedy {
  return { kind: 'terminal', title: ui`${title} in a Terminal`, line };
}
