import { openEventServer, type EventServer } from '../../adapters/events/server';
import { runMission } from '../../adapters/system/ownProgram';
import { terminal } from '../../base/text/marked/terminal';
import { EvidenceChecks } from '../../engine/views/evidenceChecks';
import { interruption } from '../owner/interrupt';
import { EventStream } from '../serve/eventStream';
import { PanelStream } from '../serve/panelStream';
import { routesOf } from '../serve/routes';
import { ServedWorkspace } from '../serve/workspace';
import { UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { cliFile, toolVersion } from '../shell/program';

/** Streams at once: a page has one. */
const clients = 64;

export const eventsServe: Command = {
  summary: 'Serve events and the Mission Control page, read-only, on 127.0.0.1 until Ctrl+C.',
  details: [
    'GET /events sends what happens as Server-Sent Events, GET /health says how it stands.',
    'The token is printed once, here, and is required; the link opens the page in a browser, once, within two',
    'minutes. With the token, GET /link gives another link. Nothing can be changed by any of it.',
  ],
  options: { port: { value: 'P', help: 'Port on 127.0.0.1 (default: any that is free).' } },
  async run(call) {
    const port = portOf(call.text('port'));
    const problem = (text: string): void => call.out.note(terminal`${text}`);
    const served = new ServedWorkspace(call.workspace, problem);
    const checks = new EvidenceChecks(
      (plan) => runMission(cliFile, ['evidence', 'verify', plan, '--workspace', call.workspace]),
      () => served.looks.next(),
    );
    const panel = new PanelStream(served, checks);
    const routed = {
      ...{ workspace: call.workspace, served, panel },
      ...{ events: new EventStream(served), version: toolVersion() },
    };
    const opened = await openEventServer({
      ...{ port, clients, answer: routesOf(routed), now: () => performance.now(), onProblem: problem },
    });
    if (!opened.ok) return call.out.refuse(opened.refusal);
    const stop = interruption();
    const ended = new Promise<void>((resolve) => stop.onRequest(resolve));
    try {
      await served.start();
      tell(call, opened.value);
      await ended;
    } finally {
      await served.close();
      await opened.value.close();
      stop.dispose();
    }
    return exitCodes.ok satisfies ExitCode;
  },
};

function tell({ out }: Invocation, { origin, port, token, link }: EventServer): void {
  const page = link();
  out.line(terminal`Mission Control, read-only, until Ctrl+C. Open this page, once: ${page}`);
  out.line(terminal`  token, shown only now:  ${token}`);
  out.line(terminal`  events:                 curl -N -H "Authorization: Bearer TOKEN" ${origin}/events`);
  out.line(terminal`  another link:           curl -H "Authorization: Bearer TOKEN" ${origin}/link`);
  // One line, because this process goes on: who reads it need not find the end of a document.
  if (out.json) out.jsonLines([JSON.stringify({ url: origin, port, token, link: page })]);
}

/** @throws UsageError */
function portOf(text: string | null): number {
  if (text === null) return 0;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port takes a number from 1 to 65535.');
  return port;
}
