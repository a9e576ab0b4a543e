import { ui, type UiText } from '../../base/text/marked/ui';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import type { DoctorCheck } from '../../engine/ports/doctor';
import { agentWorkers } from '../../workers/registry';
import { agentSettingName, settings, type SettingName } from '../registry/settingEntries';

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
