import type { Effect } from '../../../core/mission/effects';
import type { Mission } from '../../../core/model/state';
import type { EngineOptions, EnginePorts } from '../../ports/engine';
import type { Reporting } from '../orchestrator/answerRequest';
import type { SendReport } from '../write/written';

export interface EffectRun<Kind extends Effect['kind'] = Effect['kind']> {
  readonly effect: Extract<Effect, { readonly kind: Kind }>;
  readonly mission: Mission;
  readonly ports: EnginePorts;
  readonly options: EngineOptions;
  readonly reporting: Reporting;
  readonly send: SendReport;
}

/** A run about one launch, for any purpose. */
export interface LaunchRun extends Omit<EffectRun, 'effect'> {
  readonly effect: { readonly launch_id: string };
}
