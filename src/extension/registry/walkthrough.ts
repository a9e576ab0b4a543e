import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { stepKeys } from './registry';

/** A step ticks when it is done in any way: a plan is open or approved, a mission exists, its evidence is valid. */
export const walkthrough = {
  id: 'missionControl.start',
  title: 'Run your first mission',
  description: 'From nothing to verified evidence, in your own repository.',
  steps: [
    {
      id: 'check',
      title: 'Check this machine',
      description: `Doctor looks for the agents of this machine (${agentNames.map((name) => agentWorkers[name].program).join(', ')}), for git, and for a sandbox. Beside what this machine lacks is a button that helps. Without an agent, a task can be a command of yours.\n[Check This Machine](command:missionControl.doctor)`,
      media: {
        svg: 'media/walkthrough-check.svg',
        altText: 'Checks of this machine, one of them with a button that helps',
      },
      completionEvents: ['onCommand:missionControl.doctor'],
    },
    {
      id: 'sample',
      title: 'Run a sample',
      description:
        'The sample is a plan of two small commands. It needs no agent and no account. You read what it does, approve it, and it runs. Open Sample makes a folder of its own for it.\n[Run Sample](command:missionControl.runSample)\n[Open Sample](command:missionControl.openSample)',
      media: {
        svg: 'media/walkthrough-sample.svg',
        altText: 'A sample with two tasks and a button that runs it',
      },
      completionEvents: [`onContext:${stepKeys.sampleRan}`],
    },
    {
      id: 'plan',
      title: 'Write a plan',
      description:
        'A plan names its tasks, the paths each may write, and who performs them. Say a goal in words and an agent drafts one, or begin with a small one for the agent that was found here. The Problems panel checks the plan while you type, and the light bulb mends it.\n[Draft Plan With Agent](command:missionControl.draftPlan)\n[New Plan](command:missionControl.newPlan)',
      media: { svg: 'media/walkthrough-plan.svg', altText: 'A plan file with a finding marked at its exact place' },
      completionEvents: [`onContext:${stepKeys.planWritten}`],
    },
    {
      id: 'approve',
      title: 'Approve its exact bytes',
      description:
        'You see every command line that will run, what each task may write, and whether a sandbox holds it there. Your approval counts for exactly these bytes.\n[Approve Plan](command:missionControl.approvePlan)',
      media: { svg: 'media/walkthrough-approve.svg', altText: 'A plan with a seal that carries its hash' },
      completionEvents: [`onContext:${stepKeys.planApproved}`],
    },
    {
      id: 'run',
      title: 'Run it and watch',
      description:
        'Each worker shows what it does in a terminal. Close the window if you like: the worker goes on, and nothing is started twice.\n[Run Plan](command:missionControl.runPlan)',
      media: { svg: 'media/walkthrough-run.svg', altText: 'Tasks of a mission, one of them running in a terminal' },
      completionEvents: [`onContext:${stepKeys.planRan}`],
    },
    {
      id: 'evidence',
      title: 'Read and verify the evidence',
      description:
        'docs/ops/executions holds what each worker claimed, and what was observed and verified. Verify Evidence checks it again, and says what was checked. You can read and verify it without this extension.\n[Open Evidence](command:missionControl.openEvidence)\n[Verify Evidence](command:missionControl.verifyEvidence)',
      media: { svg: 'media/walkthrough-evidence.svg', altText: 'Files of evidence, each with a digest' },
      completionEvents: [`onContext:${stepKeys.evidenceHolds}`],
    },
  ],
} as const;
