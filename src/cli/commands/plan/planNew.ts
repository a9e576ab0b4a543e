import { fileStep } from '../../../base/text/steps';
import path from 'node:path';
import { systemClock } from '../../../adapters/system/clock';
import { planFiles } from '../../../adapters/documents/planFiles';
import { planTemplateNames, writePlanDraft } from '../../../engine/plans/draft';
import { required, UsageError, workspaceOption, type Command } from '../../shell/command';
import { exitCodes } from '../../shell/output';
import { actorOf } from '../../owner/session';
import { tellWritten } from '../../owner/decide';
import { terminal } from '../../../base/text/marked/terminal';

export const planNew: Command = {
  takes: [required.newPlan],
  summary: 'Write a DRAFT plan that validates except for its approval.',
  details: [`Writes docs/plans/PLAN_<ID>.json. Templates: ${planTemplateNames.join(', ')}.`],
  options: {
    from: {
      value: 'TEMPLATE',
      help: `Template: ${planTemplateNames.join(' or ')} (default: ${planTemplateNames[0]}).`,
    },
    by: { value: 'NAME', help: 'Who plans (default: your user name).' },
    ...workspaceOption,
  },
  async run(call) {
    const { out } = call;
    const [name = ''] = call.positionals;
    const from = call.text('from') ?? planTemplateNames[0];
    const template = planTemplateNames.find((name) => name === from);
    if (template === undefined)
      throw new UsageError(`--from ${from}: the templates are ${planTemplateNames.join(', ')}.`);
    const written = await writePlanDraft(
      {
        plan_id: name,
        template,
        planner: actorOf(call).name,
        absolute: (relative) => path.join(call.workspace, ...relative.split('/')),
      },
      { plans: planFiles, clock: systemClock },
    );
    if (!written.ok) return out.refuse(written.refusal);
    const { plan_id, plan_path } = written.value;
    await tellWritten(call, path.join(call.workspace, plan_path));
    out.line(terminal`${out.paint('green', 'Written')}: ${plan_path}`);
    out.line(terminal`  next: edit it, then ${fileStep('plan approve', plan_path, '--by NAME')}`);
    out.line(
      terminal`        (it says what is wrong before it asks; until then mission plan validate finds STATUS_NOT_APPROVED)`,
    );
    out.document({ plan_id, plan_path });
    return exitCodes.ok;
  },
};
